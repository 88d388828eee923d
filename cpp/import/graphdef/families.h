#pragma once

#include "import/graphdef/row.h"

/// The table of TensorFlow ops, one list of rows for each family of ops.
namespace tenure::graphdef {

std::span<const Row> arithmetic_rows();
std::span<const Row> basic_math_rows();
std::span<const Row> control_rows();
std::span<const Row> convolution_rows();
std::span<const Row> creation_rows();
std::span<const Row> dynamic_rows();
std::span<const Row> evaluation_rows();
std::span<const Row> graph_rows();
std::span<const Row> hash_table_rows();
std::span<const Row> image_rows();
std::span<const Row> logical_rows();
std::span<const Row> matrices_rows();
std::span<const Row> normalization_rows();
std::span<const Row> ragged_rows();
std::span<const Row> reduction_rows();
std::span<const Row> slice_join_rows();
std::span<const Row> sparse_rows();
std::span<const Row> spectral_rows();
std::span<const Row> string_rows();
std::span<const Row> tensor_array_rows();
std::span<const Row> tensor_list_rows();
std::span<const Row> transformation_rows();

}  // namespace tenure::graphdef
