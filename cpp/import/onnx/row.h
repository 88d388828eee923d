#pragma once

#include <optional>

#include "import/onnx/tensors.h"
#include "model/executor/operands.h"

namespace tenure::onnx {

using namespace executor;

/// The folder of an op's row. All but kCommon are parts of the engine that are loaded if a model needs them.
enum class RowGroup { kCommon, kQuantized, kTransformer, kRare };
/// Returns the group of an op; kRare if no group has a row and the reader does not read it. "" is the domain
/// of the standard ops.
RowGroup find_group(std::string_view domain, std::string_view op);
/// Returns the row of an op, whose group is `group`, or null for an unknown op.
const Row* find_row(RowGroup group, std::string_view domain, std::string_view op);
inline const Row* find_row(std::string_view domain, std::string_view op) {
  return find_row(find_group(domain, op), domain, op);
}

/// Returns the version of the op set that the node was written for.
inline std::int32_t opset(const Call& call) { return call.node().version; }

/// The attribute in which the reader gives a node the types of its inputs.
inline constexpr std::string_view kInputTypes = "input types";
/// Returns the type of input i if it has integers other than int32, or small floats, or kUndefined.
ElementType element_type(const Call& call, int i);
/// Returns the range of a type of small integers, {lowest, highest}, or nullopt for other types.
std::optional<std::pair<std::int32_t, std::int32_t>> get_range(ElementType type);
/// True for integers of 64 bits, which are int32 in the engine.
constexpr bool has_64_bits(ElementType type) {
  return type == ElementType::kInt64 || type == ElementType::kUint64;
}
/// True for unsigned integers of which the engine has the lower 32 bits.
constexpr bool is_unsigned(ElementType type) {
  return type == ElementType::kUint32 || type == ElementType::kUint64;
}
/// Returns int32 values as they wrap around in a type of small integers, or x itself for other types.
Tensor wrap(const Tensor& x, ElementType type);
/// Returns (x - zero) * scale as float32. The zero point may be empty.
Tensor dequantize(const Tensor& x, const Tensor& scale, const Tensor& zero);

/// Returns the axes of a node: of input `input` from opset `since` on, of the attribute "axes" before.
/// Returns nullopt if there are none.
std::optional<Dims> read_axes(const Call& call, int input, std::int32_t since);

}  // namespace tenure::onnx
