#pragma once

#include "import/tflite/row.h"

/// The table of TensorFlow Lite's builtin ops, one list of rows for each family, in rows/. A row has the op's
/// number in the schema, its name and implementation, the fields of its options, and how it treats quantized
/// values. A new family is a file in rows/, its function here, and an entry of kFamilies in row.cpp.
namespace tenure::tflite {

std::span<const OpRow> activation_rows();
std::span<const OpRow> convolution_rows();
std::span<const OpRow> creation_rows();
std::span<const OpRow> image_rows();
std::span<const OpRow> indexing_rows();
std::span<const OpRow> math_rows();
std::span<const OpRow> matrix_rows();
std::span<const OpRow> movement_rows();
std::span<const OpRow> pooling_rows();
std::span<const OpRow> recurrent_rows();
std::span<const OpRow> reduction_rows();

// Custom ops, found by their names.
std::span<const OpRow> custom_rows();
std::span<const OpRow> detection_rows();
std::span<const OpRow> unpooling_rows();

}  // namespace tenure::tflite
