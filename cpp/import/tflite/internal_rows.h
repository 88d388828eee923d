#pragma once

#include "import/tflite/row.h"

/// The rows of nodes that files do not have: constants, control flow, and conversions of quantized values.
/// Graphs have these as stored - zero point, in float32.
namespace tenure::tflite::internal {

extern const Row kIfRow;
extern const Row kCaseRow;
extern const Row kWhileRow;
extern const Row kCompositeRow;
/// Returns the node's constant.
extern const Row kConstantRow;
/// Converts a boolean, an integer or a float to float32.
extern const Row kToFloatRow;
/// Multiplies by the attribute "scale": real numbers of quantized values.
extern const Row kDequantizeRow;
/// Divides by the attribute "scale", rounds halves to even numbers, and clamps to "low" and "high".
extern const Row kQuantizeRow;
/// Rounds, multiplies by the attribute "scales", rounds, and clamps to "low" and "high".
extern const Row kRescaleRow;
/// Returns the stored integers, as int32: adds the attribute "zero".
extern const Row kStoreRow;
/// Returns the values of stored integers: subtracts the attribute "zero".
extern const Row kLoadRow;

/// Returns attributes of one number each.
Attributes make_attributes(std::initializer_list<std::pair<std::string_view, double>> numbers);

}  // namespace tenure::tflite::internal
