#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/executor/graph_model.h"

namespace tenure::tflite {

struct LoadOptions {
  /// The key of the signature to run; empty for the first subgraph.
  std::string signature = {};
  /// True if quantized inputs and outputs are the stored integers, as int32; else they are real numbers.
  bool is_quantized = false;
  std::vector<std::string> custom_ops = {};  ///< names of the custom ops that JavaScript runs
};

/// The scale and zero point of an input or output; of those that are not quantized, the scale is 0.
struct PortQuantization {
  float scale = 0;
  std::int32_t zero_point = 0;
};

/// An input or output by its name in a signature.
struct PortName {
  std::string name;
  std::string tensor;
};

struct SignatureInfo {
  std::string key;
  std::vector<PortName> inputs;
  std::vector<PortName> outputs;
};

/// A node that JavaScript runs.
struct CustomNode {
  std::string name;
  std::string function;  ///< name of the function that contains it; empty in the main graph
  std::string op;
  std::string options;  ///< bytes
};

/// A variable of the model: the input that has its value, the output with the next one, the shape and the
/// dtype, and the name of the weight with its first value, empty for zeros.
struct StateInfo {
  std::string name;
  std::string next;
  Shape shape;
  DType dtype;
  std::string initial = {};
};

/// Facts of a file that GraphModel does not have. Its last inputs and outputs are those of states.
struct FileInfo {
  std::vector<std::string> input_names;  ///< by which calls name them: those of tensors, or of the signature
  std::vector<std::string> output_names;
  std::vector<PortQuantization> inputs;
  std::vector<PortQuantization> outputs;
  std::vector<SignatureInfo> signatures;
  /// Index in `signatures` of the signature that was read; `signatures.size()` if there is none.
  std::size_t signature_index = 0;
  std::vector<StateInfo> states;
  std::vector<CustomNode> custom_nodes;
};

struct LoadedModel {
  GraphModel model;
  FileInfo info;
};

/// Loads a .tflite file, whose bytes need not outlive the call. Inputs and outputs have the names of their
/// tensors. Throws for an invalid file and for ops that are not supported, naming the node, and leaves
/// nothing allocated. Without `has_rare_part`, returns nothing for a file that needs what is in rare/: ops of
/// few models or that are not supported, convolutions with dilations or in groups, strings or sparse tensors,
/// or the choice of a signature.
std::optional<LoadedModel> try_load_model(std::span<const std::byte> file, const LoadOptions& options,
                                          bool has_rare_part);
/// Calls try_load_model() with the rare part.
LoadedModel load_model(std::span<const std::byte> file, const LoadOptions& options = {});

}  // namespace tenure::tflite
