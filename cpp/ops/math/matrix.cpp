// Band matrices, orthonormalization and QR decomposition.
#include "core/error.h"
#include "ops/collapsed_extent.h"
#include "ops/infer.h"
#include "ops/movement/slice.h"
#include "ops/ops.h"
#include "shape_util/mat_mul.h"

namespace tenure::composed {

Tensor band_part(const Tensor& a, const Tensor& num_lower, const Tensor& num_upper, const NoneAttrs&) {
  check_shape(a.rank() >= 2, "bandPart(): Rank must be at least 2, got ", a.rank(), ".");
  check_shape(num_lower.elements() == 1 && num_upper.elements() == 1,
              "bandPart(): expected scalars, got numLower ", num_lower.shape(), " and numUpper ",
              num_upper.shape());
  const std::int32_t rows = a.shape().back(1);
  const std::int32_t columns = a.shape().back();
  // A negative bound keeps everything on its side.
  const auto bound = [](const Tensor& given, std::int32_t all) {
    return reshape(where(less(given, Tensor::scalar(0)), Tensor::scalar(all), given), ToShapeAttrs{});
  };
  const Tensor i = reshape(range({.count = rows, .dtype = DType::kInt32}), {{rows, 1}});
  const Tensor below = sub(i, range({.count = columns, .dtype = DType::kInt32}));
  const Tensor in_band = logical_and(less_equal(below, bound(num_lower, rows)),
                                     greater_equal(below, neg(bound(num_upper, columns))));
  return where(in_band, a, cast(Tensor::scalar(0), {a.dtype()}));
}

/// Returns orthonormal rows that span the rows of xs: each has length 1 and is orthogonal to the rows before
/// it.
Tensor gram_schmidt(const Tensor& xs, const NoneAttrs&) {
  check_shape(xs.rank() == 2, "Gram-Schmidt: expected a matrix, got shape ", xs.shape());
  check_shape(xs.dim(0) > 0, "Gram-Schmidt process: input must not be null, undefined, or empty");
  check_shape(xs.dim(0) <= xs.dim(1), "Gram-Schmidt: Number of vectors (", xs.dim(0),
              ") exceeds number of dimensions (", xs.dim(1), ").");
  Tensors rows;
  rows.reserve(static_cast<std::size_t>(xs.dim(0)));
  for (std::int32_t i = 0; i < xs.dim(0); ++i) {
    Tensor x = slice_axis(xs, 0, i, 1);
    for (const Tensor& y : rows) x = sub(x, mul(sum(mul(y, x)), y));
    rows.push_back(div(x, sqrt(sum(square(x)))));
  }
  return concat(TensorList(rows), {.axis = 0});
}

namespace {

/// Returns Q [m, m] and R [m, n], computed with Householder reflections: G. Golub, C. Van Loan, Matrix
/// Computations, 5.2.
Tensors householder_qr(const Tensor& x) {
  const std::int32_t m = x.dim(0);
  const std::int32_t n = x.dim(1);
  Tensor q = eye({.rows = m, .columns = m});
  Tensor r = x;
  const Tensor one = fill({.shape = {1, 1}, .value = 1});
  for (std::int32_t j = 0; j < m && j < n; ++j) {
    // H = I - tau w w' puts zeros below r[j, j].
    const Tensor column = slice_axis(slice_axis(r, 0, j, m - j), 1, j, 1);
    const Tensor length = sqrt(sum(square(column)));
    const Tensor first = slice_axis(column, 0, 0, 1);
    const Tensor sign = where(greater(first, Tensor::scalar(0.0F)), Tensor::scalar(-1.0F), one);
    const Tensor u = sub(first, mul(sign, length));
    // A column of zeros needs no reflection; div_no_nan() makes tau 0.
    const Tensor below = div_no_nan(slice_axis(column, 0, 1, m - j - 1), u);
    const Tensor w = concat({one, below}, {.axis = 0});
    const Tensor tau_w = mul(neg(div_no_nan(mul(sign, u), length)), w);
    const Tensor rest = slice_axis(r, 0, j, m - j);
    r = concat({slice_axis(r, 0, 0, j), sub(rest, mat_mul(tau_w, mat_mul(w, rest, {.transpose_a = true})))},
               {.axis = 0});
    const Tensor right = slice_axis(q, 1, j, m - j);
    q = concat({slice_axis(q, 1, 0, j), sub(right, mat_mul(mat_mul(right, w), tau_w, {.transpose_b = true}))},
               {.axis = 1});
  }
  return {q, r};
}

}  // namespace

Tensors qr(const Tensor& x, const QrAttrs& attrs) {
  check_shape(x.rank() >= 2, "qr() requires input tensor to have a rank >= 2, but got rank ", x.rank());
  const std::int32_t m = x.shape().back(1);
  const std::int32_t n = x.shape().back();
  const std::int32_t inner = attrs.full_matrices == 0 && m > n ? n : m;
  const std::int32_t count = collapsed_extent(get_batch_dims(x.shape()));
  const Tensor matrices = reshape(x, {{count, m, n}});
  Tensors qs;
  Tensors rs;
  for (std::int32_t i = 0; i < count; ++i) {
    const Tensors parts = householder_qr(reshape(slice_axis(matrices, 0, i, 1), {{m, n}}));
    qs.push_back(slice_axis(parts[0], 1, 0, inner));
    rs.push_back(slice_axis(parts[1], 0, 0, inner));
  }
  Shape q = x.shape();
  q.back() = inner;
  Shape r = x.shape();
  r.back(1) = inner;
  if (qs.empty()) return {fill({.shape = q}), fill({.shape = r})};
  return {reshape(stack(TensorList(qs)), {q}), reshape(stack(TensorList(rs)), {r})};
}

}  // namespace tenure::composed
