#pragma once

#include "import/onnx/row.h"

/// The table of ONNX ops, one list of rows for each family of ops. row.cpp lists the families by domain.
namespace tenure::onnx {

std::span<const Row> activation_rows();
std::span<const Row> convolution_rows();
std::span<const Row> creation_rows();
std::span<const Row> image_rows();
std::span<const Row> indexing_rows();
std::span<const Row> matrix_rows();
std::span<const Row> math_rows();
std::span<const Row> movement_rows();
std::span<const Row> normalization_rows();
std::span<const Row> pooling_rows();
std::span<const Row> reduction_rows();

}  // namespace tenure::onnx
