#pragma once

#include <string>
#include <utility>
#include <vector>

#include "import/onnx/tensors.h"
#include "model/executor/graph_model.h"

namespace tenure::onnx {

struct LoadOptions {
  std::vector<ExternalFile> files = {};  ///< with the bytes of tensors that are not in the model's file
  std::vector<std::pair<std::string, std::int32_t>> free_dimensions =
      {};  ///< extents by their names in the model
};

/// The parts of the engine and the other files that loading a file needs.
struct Requirements {
  std::vector<std::string_view> parts = {};  ///< of the WebAssembly package (web/part_list.mjs)
  std::vector<ExternalRange> external = {};  ///< the data of initializers in other files
};

/// Returns the requirements of an .onnx file, whose bytes must outlive them. Throws for an invalid file.
Requirements find_requirements(std::span<const std::byte> file);

/// Loads an .onnx file, whose bytes need not outlive the call. Values are named as in the file. Throws for an
/// invalid file and for ops that are not supported, naming the node, and leaves nothing allocated.
GraphModel load_model(std::span<const std::byte> file, const LoadOptions& options = {});

}  // namespace tenure::onnx
