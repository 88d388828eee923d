#include "import/onnx/families.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Multiplies as NumPy's matmul: a vector is a row on the left and a column on the right.
Tensor multiplied(const Call& call) {
  const bool is_row = call[0].rank() == 1;
  const bool is_column = call[1].rank() == 1;
  const Tensor a = is_row ? expand_dims(call[0], {0}) : call[0];
  const Tensor b = is_column ? expand_dims(call[1], {1}) : call[1];
  Tensor product = mat_mul(a, b);
  if (is_column) product = squeeze(product, {Dims{-1}});
  if (is_row) product = squeeze(product, {Dims{is_column ? -1 : -2}});
  return product;
}

Tensor general_product(const Call& call) {
  const auto alpha = static_cast<float>(call.attrs().number("alpha", 1));
  const auto beta = static_cast<float>(call.attrs().number("beta", 1));
  Tensor c = optional(call, 2);
  if (c && beta != 1) c = mul(c, scalar_like(c, beta));
  const MatMulAttrs attrs{.transpose_a = call.attrs().flag("transA"),
                          .transpose_b = call.attrs().flag("transB")};
  if (c && alpha == 1 && c.rank() == 1 && c.dtype() == DType::kFloat32 &&
      c.elements() == static_cast<std::size_t>(call[1].dim(attrs.transpose_b ? 0 : 1)))
    return mat_mul(call[0], call[1], c, attrs);
  Tensor product = mat_mul(call[0], call[1], attrs);
  if (alpha != 1) product = mul(product, scalar_like(product, alpha));
  return c ? add(product, c) : product;
}

constexpr Row kRows[] = {
    {"Gemm", general_product},
    {"MatMul", multiplied},
};

}  // namespace

std::span<const Row> matrix_rows() { return kRows; }

}  // namespace tenure::onnx
