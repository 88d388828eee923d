#include "cpu/quant/half_rows.h"

#include <algorithm>
#include <cmath>

#include "cpu/elementwise/elementwise.h"
#include "cpu/simd/simd_half.h"

namespace tenure::cpu {
namespace {

using simd::F32;
using simd::kLanes;

/// Factors below it are not infinite after they are scaled.
constexpr float kMaxScaled = 1 << 15;
/// Rows of a matrix that are added to one row of sums together, and those that are added to two.
constexpr int kSingleRows = 8;
constexpr int kPairRows = 4;
/// Rows of a transposed matrix that share the loads of the left-hand row.
constexpr int kDotRows = 4;

/// Left-hand rows and rows of sums, and the distances between them.
struct Operands {
  const float* a;
  std::size_t a_stride;
  float* out;
  std::size_t out_stride;

  const float* row(int r) const { return a + static_cast<std::size_t>(r) * a_stride; }
  float* sums(int r) const { return out + static_cast<std::size_t>(r) * out_stride; }
};

/// Adds the products of kInputs rows' factors from the k-th on with kRows rows of halves to `count` sums, a
/// multiple of four.
template <int kInputs, int kRows>
[[gnu::noinline]] void add_rows(const Operands& operands, int k, const std::uint16_t* b, std::size_t b_stride,
                                int count) {
  const simd::ScaledHalves loader;
  F32 factor[kInputs][kRows];
  float* out[kInputs];
  const std::uint16_t* row[kRows];
  for (int i = 0; i < kRows; ++i) row[i] = b + static_cast<std::size_t>(i) * b_stride;
  for (int r = 0; r < kInputs; ++r) {
    out[r] = operands.sums(r);
    for (int i = 0; i < kRows; ++i) factor[r][i] = F32::load_splat(operands.row(r) + k + i);
  }
  for (int c = 0; c < count; c += kLanes) {
    F32 sum[kInputs];
    for (int r = 0; r < kInputs; ++r) sum[r] = load(out[r] + c);
    for (int i = 0; i < kRows; ++i) {
      const F32 x = loader.load(row[i] + c);
      for (int r = 0; r < kInputs; ++r) sum[r] = madd(factor[r][i], x, sum[r]);
    }
    for (int r = 0; r < kInputs; ++r) store(out[r] + c, sum[r]);
  }
}

/// Adds the products of one row's factors from the k-th on with `rows` rows of halves to sums from the c-th
/// on: any number of either.
template <class Loader>
[[gnu::noinline]] void add_any_rows(const float* factors, int rows, const std::uint16_t* b,
                                    std::size_t b_stride, int c, int count, float* out) {
  const Loader loader;
#pragma GCC unroll 1
  for (; c < count; c += kLanes) {
    const auto left = static_cast<std::size_t>(count - c);
    const std::uint16_t* at = b + c;
    F32 sum = left < kLanes ? load_first(out + c, left) : load(out + c);
#pragma GCC unroll 1
    for (int i = 0; i < rows; ++i, at += b_stride)
      sum = madd(F32::load_splat(factors + i), loader.load(at), sum);
    store_up_to(out + c, sum, left);
  }
}

/// Returns the lane sums of four vectors.
[[gnu::noinline]] F32 sum_lanes(const F32 (&x)[kDotRows]) {
  const simd::RawF32 a = __builtin_shufflevector(x[0].v, x[1].v, 0, 4, 1, 5) +
                         __builtin_shufflevector(x[0].v, x[1].v, 2, 6, 3, 7);
  const simd::RawF32 b = __builtin_shufflevector(x[2].v, x[3].v, 0, 4, 1, 5) +
                         __builtin_shufflevector(x[2].v, x[3].v, 2, 6, 3, 7);
  return __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
}

/// Adds dot products with `count` rows of halves to `out`: the sums of the first k products are `sums`.
template <class Loader>
[[gnu::noinline]] void finish_dots(const float* a, const std::uint16_t* const* rows, int k, int depth,
                                   int count, F32 sums, float* out) {
  const Loader loader;
  float dots[kDotRows];
  store(dots, sums);
#pragma GCC unroll 1
  for (int i = 0; i < count; ++i) {
    // One by one: what lies behind the last row may be infinite or NaN.
#pragma GCC unroll 1
    for (int rest = k; rest < depth; ++rest) dots[i] += a[rest] * loader.load(rows[i] + rest)[0];
    out[i] += dots[i];
  }
}

/// Adds the dot products of kInputs rows with `count` rows of a transposed matrix, at most kDotRows.
template <class Loader, int kInputs>
[[gnu::noinline]] void add_dots(const Operands& operands, const std::uint16_t* b, int depth, int count) {
  const Loader loader;
  const std::uint16_t* row[kDotRows];
  F32 sum[kInputs][kDotRows];
  for (int i = 0; i < kDotRows; ++i) {
    row[i] = b + static_cast<std::size_t>(std::min(i, count - 1)) * static_cast<std::size_t>(depth);
    for (int r = 0; r < kInputs; ++r) sum[r][i] = F32(0.0F);
  }
  const float* in[kInputs];
  for (int r = 0; r < kInputs; ++r) in[r] = operands.row(r);
  int k = 0;
#pragma GCC unroll 1
  for (; k + kLanes <= depth; k += kLanes) {
    F32 x[kInputs];
    for (int r = 0; r < kInputs; ++r) x[r] = load(in[r] + k);
    for (int i = 0; i < kDotRows; ++i) {
      const F32 weights = loader.load(row[i] + k);
      for (int r = 0; r < kInputs; ++r) sum[r][i] = madd(x[r], weights, sum[r][i]);
    }
  }
  for (int r = 0; r < kInputs; ++r)
    finish_dots<Loader>(in[r], row, k, depth, count, sum_lanes(sum[r]), operands.sums(r));
}

/// The kernels for `inputs` left-hand rows.
struct RowKernels {
  int inputs;
  int rows;  ///< that add_rows adds
  void (*add_rows)(const Operands&, int k, const std::uint16_t* b, std::size_t b_stride, int count);
  void (*add_any_rows)(const float* factors, int rows, const std::uint16_t* b, std::size_t b_stride, int c,
                       int count, float* out);
  void (*add_dots)(const Operands&, const std::uint16_t* b, int depth, int count);
};
using simd::ExactHalves;
using simd::ScaledHalves;
constexpr RowKernels kPair = {2, kPairRows, add_rows<2, kPairRows>, add_any_rows<ScaledHalves>,
                              add_dots<ScaledHalves, 2>};
constexpr RowKernels kSingle = {1, kSingleRows, add_rows<1, kSingleRows>, add_any_rows<ScaledHalves>,
                                add_dots<ScaledHalves, 1>};
constexpr RowKernels kExact = {1, kSingleRows, nullptr, add_any_rows<ExactHalves>, add_dots<ExactHalves, 1>};

/// Adds the products of kernels.inputs rows with `count` columns from `first` on.
void add_row_products(const RowKernels& kernels, const HalfMatrix& matrix, int first, int count,
                      Operands operands) {
  const auto depth = static_cast<std::size_t>(matrix.depth);
  const auto columns = static_cast<std::size_t>(matrix.columns);
  const std::uint16_t* b = matrix.data + static_cast<std::size_t>(first) * (matrix.transposed ? depth : 1);
  if (matrix.transposed) {
    for (; count > 0; count -= kDotRows, b += kDotRows * depth, operands.out += kDotRows)
      kernels.add_dots(operands, b, matrix.depth, std::min(count, kDotRows));
    return;
  }
  for (int k = 0; k < matrix.depth;
       k += kernels.rows, b += static_cast<std::size_t>(kernels.rows) * columns) {
    const int rows = std::min(kernels.rows, matrix.depth - k);
    const int whole = kernels.add_rows && rows == kernels.rows ? count / kLanes * kLanes : 0;
    if (whole > 0) kernels.add_rows(operands, k, b, columns, whole);
    if (whole == count) continue;
    for (int r = 0; r < kernels.inputs; ++r)
      kernels.add_any_rows(operands.row(r) + k, rows, b, columns, whole, count, operands.sums(r));
  }
}

}  // namespace

HalfFactors::HalfFactors(const float* a, int rows, const HalfMatrix& b) : a_(a), rows_(rows), b_(b) {
  const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(b.depth);
  is_scaled_ = !b.has_many_subnormals &&
               std::all_of(a, a + count, [](float x) { return !(std::abs(x) >= kMaxScaled); });
  if (!is_scaled_) return;
  scaled_ = Scratch<float>(count + Storage::kSlack / sizeof(float));
  std::transform(a, a + count, scaled_.data(), [](float x) { return x * simd::ScaledHalves::kUnscale; });
  a_ = scaled_.data();
}

void HalfFactors::add_products(int first, int count, float* c) const {
  const auto depth = static_cast<std::size_t>(b_.depth);
  const auto columns = static_cast<std::size_t>(b_.columns);
  for (int row = 0; row < rows_;) {
    const RowKernels& kernels = !is_scaled_ ? kExact : row + 1 < rows_ ? kPair : kSingle;
    add_row_products(kernels, b_, first, count,
                     {a_ + static_cast<std::size_t>(row) * depth, depth,
                      c + static_cast<std::size_t>(row) * columns + first, columns});
    row += kernels.inputs;
  }
}

void convert_rows(const std::uint16_t* from, std::size_t stride, int width, int rows, float* to,
                  std::size_t to_stride) {
  const simd::ExactHalves loader;
  for (int r = 0; r < rows; ++r, from += stride, to += to_stride) {
    int c = 0;
    for (; c + kLanes <= width; c += kLanes) store(to + c, loader.load(from + c));
    if (c < width) store_first(to + c, loader.load(from + c), static_cast<std::size_t>(width - c));
  }
}

}  // namespace tenure::cpu
