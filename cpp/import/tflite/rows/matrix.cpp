#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kConnectedOptions[] = {{"activation", 0, Option::kByte},
                                        {"weights_format", 1, Option::kByte},
                                        {"keep_num_dims", 2, Option::kByte}};
constexpr Option kProductOptions[] = {{"adj_x", 0, Option::kByte}, {"adj_y", 1, Option::kByte}};

/// Multiplies rows by the transpose of weights [out, in].
Tensor connected(const Call& call) {
  const Tensor& x = call[0];
  const Tensor& weights = call[1];
  check(call.attrs().integer("weights_format", 0) == 0, "its weights are shuffled");
  check_shape(weights.rank() == 2, "expected weights [out, in], got ", weights.shape());
  const bool is_integer = weights.dtype() == DType::kInt32;
  const std::int32_t in = weights.dim(is_integer ? 0 : 1);
  const std::int32_t out = weights.dim(is_integer ? 1 : 0);
  const Tensor rows = x.rank() == 2 && x.dim(1) == in ? x : reshape(x, {Shape{-1, in}});
  Tensor result;
  if (is_integer) {
    const Tensor pixels = reshape(rows, {Shape{rows.dim(0), 1, 1, in}});
    const Tensor sums = convolve_integers(call, pixels, reshape(weights, {Shape{1, 1, in, out}}), {});
    result = reshape(sums, {Shape{rows.dim(0), out}});
  } else {
    result = mat_mul(rows, weights, optional(call, 2), {.transpose_b = true});
  }
  if (call.attrs().integer("keep_num_dims", 0) != 0 && x.rank() > 0) {
    Shape shape = x.shape();
    shape[shape.rank - 1] = out;
    result = reshape(result, {shape});
  }
  return is_integer ? result : activate(call, result);
}

Tensor product(const Call& call) {
  return mat_mul(call[0], call[1],
                 {.transpose_a = call.attrs().integer("adj_x", 0) != 0,
                  .transpose_b = call.attrs().integer("adj_y", 0) != 0});
}

constexpr OpRow kRows[] = {
    {9, {"FULLY_CONNECTED", connected}, kConnectedOptions, Quantized::kIntegerWeighted, Filter::kMatrix},
    {126, {"BATCH_MATMUL", product}, kProductOptions},
};

}  // namespace

std::span<const OpRow> matrix_rows() { return kRows; }

}  // namespace tenure::tflite
