#include "import/onnx/families.h"
#include "import/onnx/rows/integers.h"
#include "import/onnx/transformer_rows/cache.h"

namespace tenure::onnx {
namespace {

/// Multiplies as NumPy's matmul: a vector is a row on the left and a column on the right.
Tensor multiply(const Call& call, const MatMulAttrs& attrs = {}) {
  const Tensor& left = call[0];
  const Tensor& right = call[1];
  const bool is_row = left.rank() == 1;
  const bool is_column = right.rank() == 1;
  const Tensor a = is_row ? expand_dims(left, {0}) : left;
  const Tensor b = is_column ? expand_dims(right, {1}) : right;
  Tensor product = has_64_bits(call, 0) ? multiply_checked(a, b, attrs) : multiply_by_cache(a, b, attrs);
  if (is_column) product = squeeze(product, {Dims{-1}});
  if (is_row) product = squeeze(product, {Dims{is_column ? -1 : -2}});
  return product;
}

Tensor multiplied(const Call& call) { return multiply(call); }

Tensor transposed_product(const Call& call) {
  bool is_transposed[2];
  for (int i = 0; i < 2; ++i) {
    const std::int32_t rank = call.attrs().integer(kTransposedRanks[i], 0);
    is_transposed[i] = rank > 0;
    check_shape(rank == 0 || call[i].rank() == rank, "the permutation of ", rank,
                " axes does not fit an input of ", call[i].shape());
  }
  return multiply(call, {.transpose_a = is_transposed[0], .transpose_b = is_transposed[1]});
}

Tensor general_product(const Call& call) {
  const auto alpha = static_cast<float>(call.attrs().number("alpha", 1));
  const auto beta = static_cast<float>(call.attrs().number("beta", 1));
  Tensor c = optional(call, 2);
  const ElementType type = element_type(call, 0);
  if (c && beta != 1) c = run_arithmetic(Op::mul, c, scalar_like(c, beta), type, type);
  const MatMulAttrs attrs{.transpose_a = call.attrs().flag("transA"),
                          .transpose_b = call.attrs().flag("transB")};
  if (c && alpha == 1 && c.rank() == 1 && c.dtype() == DType::kFloat32 &&
      c.elements() == static_cast<std::size_t>(call[1].dim(attrs.transpose_b ? 0 : 1)))
    return mat_mul(call[0], call[1], c, attrs);
  Tensor product =
      has_64_bits(call, 0) ? multiply_checked(call[0], call[1], attrs) : mat_mul(call[0], call[1], attrs);
  if (alpha != 1) product = run_arithmetic(Op::mul, product, scalar_like(product, alpha), type, type);
  return c ? run_arithmetic(Op::add, product, c, type, type) : product;
}

constexpr Row kRows[] = {
    {"Gemm", general_product},
    {"MatMul", multiplied},
};

}  // namespace

constexpr Row kTransposedMatMulRow{"MatMul", transposed_product};

std::span<const Row> matrix_rows() { return kRows; }

}  // namespace tenure::onnx
