#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

/// The messages of onnx.proto3 that the importer uses. Text and bytes are views of the file.
namespace tenure::onnx {

/// The numbers of TensorProto.DataType.
enum class ElementType : std::int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kBfloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,
  kUint2 = 25,
  kInt2 = 26,
};

struct TensorProto {
  std::string_view name;
  std::vector<std::int64_t> dims;
  std::int32_t type = 0;
  std::optional<std::span<const std::byte>> raw;
  std::vector<float> floats;
  std::vector<std::int64_t> integers;  ///< of int32_data, int64_data and uint64_data
  std::vector<double> doubles;
  std::vector<std::string_view> strings;
  bool is_external = false;
  std::vector<std::pair<std::string_view, std::string_view>> external;  ///< location, offset, length
};

struct GraphProto;

struct AttributeProto {
  std::string_view name;
  std::string_view reference;  ///< name of the attribute of the function that it stands for
  std::int32_t type = 0;       ///< AttributeType, 0 if the file has none
  std::vector<float> floats;   ///< of `f` and `floats`
  std::vector<std::int64_t> integers;
  std::vector<std::string_view> strings;
  std::vector<TensorProto> tensors;
  std::vector<GraphProto> graphs;
};

struct NodeProto {
  std::string_view name;
  std::string_view op;
  std::string_view domain;
  std::vector<std::string_view> inputs;  ///< an empty name stands for an optional input that is left out
  std::vector<std::string_view> outputs;
  std::vector<AttributeProto> attributes;
};

/// An extent: a number, a name, or neither.
struct DimensionProto {
  std::optional<std::int64_t> extent;
  std::string_view symbol;
};

struct ValueInfoProto {
  std::string_view name;
  std::int32_t type = 0;
  bool is_supported = true;    ///< false for maps, sparse tensors and nested sequences
  std::string_view container;  ///< "sequence", "optional" or "optional sequence" of tensors of the type
  std::optional<std::vector<DimensionProto>> shape;
};

struct GraphProto {
  std::string_view name;
  std::vector<NodeProto> nodes;
  std::vector<TensorProto> initializers;
  std::vector<ValueInfoProto> inputs;
  std::vector<ValueInfoProto> outputs;
  std::vector<ValueInfoProto> values;  ///< of nodes, without their shapes
  bool has_sparse_initializers = false;
};

struct OpsetProto {
  std::string_view domain;
  std::int64_t version = 0;
};

struct FunctionProto {
  std::string_view name;
  std::string_view domain;
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
  std::vector<NodeProto> nodes;
  std::vector<AttributeProto> defaults;
  std::vector<OpsetProto> opsets;
};

struct ModelProto {
  std::int64_t ir_version = 0;
  std::vector<OpsetProto> opsets;
  std::vector<FunctionProto> functions;
  std::optional<GraphProto> graph;
};

/// Returns the attribute of a name, or null if there is none.
const AttributeProto* find_attribute(std::span<const AttributeProto> attributes, std::string_view name);
/// Reads a file. Throws if it is invalid. The bytes must outlive the result.
ModelProto read_model_proto(std::span<const std::byte> file);
/// Reads a tensor, as files of test data contain one. Throws if it is invalid.
TensorProto read_tensor_proto(std::span<const std::byte> bytes);

}  // namespace tenure::onnx
