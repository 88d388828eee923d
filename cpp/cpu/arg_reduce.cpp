#include <algorithm>

#include "cpu/elementwise.h"
#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

using simd::I32;

struct Greater {
  template <class V>
  static auto better(V a, V b) {
    return a > b;
  }
};
struct Less {
  template <class V>
  static auto better(V a, V b) {
    return a < b;
  }
};

constexpr std::size_t kTile = 512;

/// Columns of the best values so far and the rows they came from. A NaN is never better, nor is anything
/// better than it, so that it wins only as the first value: what TensorFlow.js does.
template <class Compare, class T>
struct Scan {
  using V = decltype(load(static_cast<const T*>(nullptr)));
  using Element = typename V::Element;

  void run(const T* in, std::size_t rows, std::size_t width, std::size_t stride) {
    for (std::size_t r = 0; r < rows; ++r, in += stride) {
      for (std::size_t i = 0; i < width; i += simd::kLanes) {
        const V x = load(in + i);
        const V old = V::load(best + i);
        const auto wins = Compare::better(x, old);
        select(wins, x, old).store(best + i);
        select(wins, I32(static_cast<std::int32_t>(r)), I32::load(row + i)).store(row + i);
      }
    }
  }

  alignas(16) Element best[kTile];
  alignas(16) std::int32_t row[kTile];
};

/// The best of one contiguous row, folded into columns that all begin with its first value.
template <class Compare, class T>
std::int32_t best_of_row(Scan<Compare, T>& scan, const T* in, std::size_t n) {
  constexpr std::size_t kFold = 16;
  std::fill_n(scan.best, kFold, in[0]);
  std::fill_n(scan.row, kFold, -1);
  const std::size_t rows = n / kFold;
  scan.run(in, rows, kFold, kFold);
  std::size_t at = 0;
  for (std::size_t i = 0; i < kFold; ++i) {
    if (scan.row[i] < 0) continue;
    const std::size_t other = static_cast<std::size_t>(scan.row[i]) * kFold + i;
    if (Compare::better(in[other], in[at]) || (in[other] == in[at] && other < at)) at = other;
  }
  for (std::size_t i = rows * kFold; i < n; ++i) {
    if (Compare::better(in[i], in[at])) at = i;
  }
  return static_cast<std::int32_t>(at);
}

template <class Compare, class T>
void arg_reduce_as(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const int axis = normalize_axis(args.attrs.as<ArgReduceAttrs>().axis, x.rank());
  const std::size_t outer = x.shape().elements(0, axis);
  const std::size_t reduced = static_cast<std::size_t>(x.dim(axis));
  const std::size_t inner = x.shape().elements(axis + 1, x.rank());
  const T* in = x.data<T>();
  auto* out = args.out.mutable_data<std::int32_t>();
  if (reduced == 0) {
    std::fill(out, out + outer * inner, 0);
    return;
  }
  Scan<Compare, T> scan;
  for (std::size_t o = 0; o < outer; ++o, in += reduced * inner, out += inner) {
    if (inner == 1) {
      *out = best_of_row(scan, in, reduced);
      continue;
    }
    for (std::size_t first = 0; first < inner; first += kTile) {
      const std::size_t columns = std::min(kTile, inner - first);
      std::copy_n(in + first, columns, scan.best);
      std::fill_n(scan.row, columns, 0);
      scan.run(in + first, reduced, columns, inner);
      std::copy(scan.row, scan.row + columns, out + first);
    }
  }
}

template <class Compare>
void arg_reduce(const KernelArgs& args) {
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return arg_reduce_as<Compare, float>(args);
    case DType::kInt32: return arg_reduce_as<Compare, std::int32_t>(args);
    default: return arg_reduce_as<Compare, std::uint8_t>(args);
  }
}

}  // namespace

void arg_max(const KernelArgs& args) { arg_reduce<Greater>(args); }
void arg_min(const KernelArgs& args) { arg_reduce<Less>(args); }

}  // namespace tenure::cpu
