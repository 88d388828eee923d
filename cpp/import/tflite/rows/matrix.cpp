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
  const Tensor rows =
      x.rank() == 2 && x.dim(1) == weights.dim(1) ? x : reshape(x, {Shape{-1, weights.dim(1)}});
  Tensor result = mat_mul(rows, weights, optional(call, 2), {.transpose_b = true});
  if (call.attrs().integer("keep_num_dims", 0) != 0 && x.rank() > 0) {
    Shape shape = x.shape();
    shape[shape.rank - 1] = weights.dim(0);
    result = reshape(result, {shape});
  }
  return activate(call, result);
}

Tensor product(const Call& call) {
  return mat_mul(call[0], call[1],
                 {.transpose_a = call.attrs().integer("adj_x", 0) != 0,
                  .transpose_b = call.attrs().integer("adj_y", 0) != 0});
}

/// Returns the slices of input 1 at the indices of input 0.
Tensor looked_up(const Call& call) { return gather(call[1], as_indices(call[0]), {.axis = 0}); }

constexpr OpRow kRows[] = {
    {7, {"EMBEDDING_LOOKUP", looked_up}, {}, Quantized::kSame},
    {9, {"FULLY_CONNECTED", connected}, kConnectedOptions, Quantized::kWeighted},
    {126, {"BATCH_MATMUL", product}, kProductOptions},
};

}  // namespace

std::span<const OpRow> matrix_rows() { return kRows; }

}  // namespace tenure::tflite
