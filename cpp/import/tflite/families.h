#pragma once

#include "import/tflite/row.h"

/// The table of TensorFlow Lite's builtin ops, one list of rows for each family, in rows/. A row has the op's
/// number in the schema, its name and implementation, the fields of its options, and how it treats quantized
/// values. A new family is a file in rows/, its function here, and an entry of kFamilies in row.cpp. Families
/// that few models need are in rare/, a part of their own of the WebAssembly package, and in the lists of
/// rare/rare_rows.cpp.
namespace tenure::tflite {

/// Returns the row of a builtin op in the families of rare/, or null.
const OpRow* find_rare_row(std::int32_t code);
/// Returns the name of a builtin op that has no row, or its number.
std::string get_rowless_name(std::int32_t code);

/// Returns the rows of a family.
using FamilyRows = std::span<const OpRow> (*)();
/// Returns the row of a builtin op in some families, or null.
const OpRow* find_row(std::span<const FamilyRows> families, std::int32_t code);

std::span<const OpRow> activation_rows();
std::span<const OpRow> convolution_rows();
std::span<const OpRow> image_rows();
std::span<const OpRow> math_rows();
std::span<const OpRow> matrix_rows();
std::span<const OpRow> movement_rows();
std::span<const OpRow> pooling_rows();
std::span<const OpRow> reduction_rows();

// Rows of few models.
std::span<const OpRow> creation_rows();
std::span<const OpRow> indexing_rows();
std::span<const OpRow> rare_activation_rows();
std::span<const OpRow> rare_convolution_rows();
std::span<const OpRow> rare_math_rows();
std::span<const OpRow> rare_movement_rows();
std::span<const OpRow> rare_reduction_rows();
std::span<const OpRow> recurrent_rows();
std::span<const OpRow> slice_gather_rows();
std::span<const OpRow> slice_scatter_rows();
std::span<const OpRow> spectral_rows();
std::span<const OpRow> suppression_rows();
std::span<const OpRow> text_rows();

// Custom ops, found by their names, of few models.
std::span<const OpRow> audio_rows();
std::span<const OpRow> custom_rows();
std::span<const OpRow> detection_rows();
std::span<const OpRow> landmark_rows();
std::span<const OpRow> unpooling_rows();

}  // namespace tenure::tflite
