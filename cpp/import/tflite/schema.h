#pragma once

#include <string>

#include "import/tflite/flatbuffer.h"

/// The tables of TensorFlow Lite's schema that the importer uses. Text and bytes are views of the file.
namespace tenure::tflite {

/// The numbers of TensorType.
enum class ElementType : std::int8_t {
  kFloat32 = 0,
  kFloat16 = 1,
  kInt32 = 2,
  kUint8 = 3,
  kInt64 = 4,
  kString = 5,
  kBool = 6,
  kInt16 = 7,
  kComplex64 = 8,
  kInt8 = 9,
  kFloat64 = 10,
  kComplex128 = 11,
  kUint64 = 12,
  kResource = 13,
  kVariant = 14,
  kUint32 = 15,
  kUint16 = 16,
  kInt4 = 17,
  kBfloat16 = 18,
};

/// real = scale * (stored - zero). There are several scales along a dimension of some weights.
struct Quantization {
  std::vector<float> scales;
  std::vector<std::int32_t> zeros;
  std::int32_t dimension = 0;
};

struct TensorDef {
  std::string_view name;
  ElementType type = ElementType::kFloat32;
  std::vector<std::int32_t> shape;
  /// The shape with -1 for unknown extents; empty if all are known.
  std::vector<std::int32_t> signature;
  std::uint32_t buffer = 0;
  Quantization quantization;
  std::optional<Table> sparsity = {};  ///< read by make_dense()
  std::optional<Table> blocks = {};    ///< BlockwiseQuantization, in place of `quantization`
  bool is_variable = false;
};

struct OperatorDef {
  std::uint32_t code = 0;             ///< index of the operator's code
  std::vector<std::int32_t> inputs;   ///< tensors; -1 stands for an optional input that is left out
  std::vector<std::int32_t> outputs;  ///< tensors
  std::optional<Table> options;
  std::span<const std::byte> custom_options;
};

struct OperatorCode {
  std::int32_t builtin = 0;
  std::string_view custom;
  std::int32_t version = 1;
};

struct SubgraphDef {
  std::string_view name;
  std::vector<TensorDef> tensors;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
  std::vector<OperatorDef> operators;
};

/// A tensor of a subgraph by its name in a signature.
struct SignaturePort {
  std::string_view name;
  std::uint32_t tensor = 0;
};

struct Signature {
  std::string_view key;
  std::uint32_t subgraph = 0;
  std::vector<SignaturePort> inputs;
  std::vector<SignaturePort> outputs;
};

struct ModelDef {
  std::size_t bytes = 0;  ///< of the file
  std::string_view description;
  std::vector<OperatorCode> codes;
  std::vector<SubgraphDef> subgraphs;
  std::vector<std::span<const std::byte>> buffers;
  std::vector<Signature> signatures;
};

/// Reads a file. Throws if it is invalid: its indices of tensors, buffers and codes are checked. The bytes
/// and `file` must outlive the result.
ModelDef read_model_def(const FlatBuffer& file);

}  // namespace tenure::tflite
