#pragma once

#include "import/onnx/row.h"

/// The table of ONNX ops, one list of rows for each family of ops, in rows/. A row is the op's name and the
/// op of the engine with the same inputs, or a function of the node and its inputs (Call). The function reads
/// the version of the op set with opset(), and inputs that may be left out with has() and optional(). A new
/// family is a file in rows/, its function here, and an entry of kFamilies in row.cpp, which names the
/// domain. Families that many models do not need are in parts of their own of the WebAssembly package, and in
/// their lists: rare_rows/rare_rows.cpp, quantized_rows/quantized_rows.cpp and
/// transformer_rows/transformer_rows.cpp. find_group() in row.cpp says which part an op is in.
namespace tenure::onnx {

struct Family {
  std::string_view domain;
  std::span<const Row> (*rows)();
};

/// Returns the row of an op in some families, or null.
const Row* find_row(std::span<const Family> families, std::string_view domain, std::string_view op);
/// Returns the row of an op in rare_rows/, or null.
const Row* find_rare_row(std::string_view domain, std::string_view op);
/// Returns the row of an op in quantized_rows/, or null.
const Row* find_quantized_row(std::string_view domain, std::string_view op);
/// Returns the row of an op in transformer_rows/, or null.
const Row* find_transformer_row(std::string_view domain, std::string_view op);

inline constexpr std::string_view kMicrosoft = "com.microsoft";

std::span<const Row> activation_rows();
std::span<const Row> attention_rows();
std::span<const Row> bit_rows();
std::span<const Row> block_quantized_rows();
std::span<const Row> contrib_rows();
std::span<const Row> contrib_attention_rows();
std::span<const Row> contrib_recurrent_rows();
std::span<const Row> contrib_rotary_rows();
std::span<const Row> contrib_unique_rows();
std::span<const Row> convolution_rows();
std::span<const Row> creation_rows();
std::span<const Row> deformable_rows();
std::span<const Row> detection_rows();
std::span<const Row> element_rows();
std::span<const Row> feature_rows();
std::span<const Row> former_rows();
std::span<const Row> image_rows();
std::span<const Row> indexing_rows();
std::span<const Row> linear_algebra_rows();
std::span<const Row> linear_model_rows();
std::span<const Row> linear_quantized_rows();
std::span<const Row> loss_rows();
std::span<const Row> matrix_rows();
std::span<const Row> math_rows();
std::span<const Row> movement_rows();
std::span<const Row> normalization_rows();
std::span<const Row> pooling_rows();
std::span<const Row> rare_contrib_rows();
std::span<const Row> rare_normalization_rows();
std::span<const Row> rare_pooling_rows();
std::span<const Row> quantized_rows();
std::span<const Row> contrib_quantized_rows();
std::span<const Row> random_rows();
/// Convolves values of 8 bits, and returns float32: as Conv of two results of DequantizeLinear. The inputs
/// are those of MatMulIntegerToFloat.
extern const Row kDequantizedConvRow;
/// Concat of a cache, which the model takes and returns, and new rows, for MatMul.
extern const Row kCacheConcatRow;
/// MatMul of inputs whose last two axes are swapped: those of which the node has the attribute, in
/// kTransposedRanks, with the rank that the input must have.
extern const Row kTransposedMatMulRow;
inline constexpr std::string_view kTransposedRanks[] = {"rank of transposed a", "rank of transposed b"};
std::span<const Row> recurrent_rows();
std::span<const Row> reduction_rows();
std::span<const Row> sequence_rows();
std::span<const Row> spatial_rows();
std::span<const Row> string_rows();
std::span<const Row> support_vector_rows();
std::span<const Row> training_rows();
std::span<const Row> tree_model_rows();
std::span<const Row> unique_rows();
std::span<const Row> signal_rows();
std::span<const Row> simplified_rows();
std::span<const Row> rotary_rows();
std::span<const Row> sampling_rows();
std::span<const Row> resize_rows();

}  // namespace tenure::onnx
