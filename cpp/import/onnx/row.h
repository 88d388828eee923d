#pragma once

#include <optional>

#include "import/onnx/tensors.h"
#include "model/executor/operands.h"

namespace tenure::onnx {

using namespace executor;

/// Returns the row of an op, or null for an unknown op. "" is the domain of the standard ops.
const Row* find_row(std::string_view domain, std::string_view op);

/// True if an op's row is not one of those that most models need: it is in rare_rows/, or there is none and
/// the reader does not read the op itself.
bool is_rare(std::string_view domain, std::string_view op);

/// Returns the version of the op set that the node was written for.
inline std::int32_t opset(const Call& call) { return call.node().version; }

/// The attribute in which the reader gives a node the types of its inputs.
inline constexpr std::string_view kInputTypes = "input types";
/// Returns the type of input i if it has small integers, or kUndefined.
ElementType element_type(const Call& call, int i);
/// Returns the range of a type of small integers, {lowest, highest}, or nullopt for other types.
std::optional<std::pair<std::int32_t, std::int32_t>> range_of(ElementType type);
/// Returns int32 values as they wrap around in a type of small integers, or x itself for other types.
Tensor wrap(const Tensor& x, ElementType type);

/// Returns the axes of a node: of input `input` from opset `since` on, of the attribute "axes" before.
/// Returns nullopt if there are none.
std::optional<Dims> read_axes(const Call& call, int input, std::int32_t since);

}  // namespace tenure::onnx
