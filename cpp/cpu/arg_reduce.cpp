#include <algorithm>
#include <limits>

#include "cpu/elementwise.h"
#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

using simd::I32;

// Flipping these bits turns the order round.
simd::F32 flipped(simd::F32 x, bool flip) {
  return simd::from_bits(simd::bits(x) ^ (flip ? std::numeric_limits<std::int32_t>::lowest() : 0));
}
simd::I32 flipped(simd::I32 x, bool flip) { return x.v ^ (flip ? -1 : 0); }

constexpr std::size_t kTile = 512;

/// Columns of the best values so far and the rows they came from; the least are the best if `least`. A NaN is
/// never better, nor is anything better than it, so that it wins only as the first value: what TensorFlow.js
/// does.
template <class T>
struct Scan {
  using V = decltype(load(static_cast<const T*>(nullptr)));
  using Element = typename V::Element;

  explicit Scan(bool of_least) : least(of_least) {}
  bool better(T a, T b) const { return least ? a < b : a > b; }
  void start(const T* in, std::size_t width) {
    for (std::size_t i = 0; i < width; i += simd::kLanes) {
      flipped(load(in + i), least).store(best + i);
      I32(0).store(row + i);
    }
  }
  void run(const T* in, std::size_t rows, std::size_t width, std::size_t stride) {
    for (std::size_t r = 0; r < rows; ++r, in += stride) {
      for (std::size_t i = 0; i < width; i += simd::kLanes) {
        const V x = flipped(load(in + i), least);
        const V old = V::load(best + i);
        const auto wins = x > old;
        select(wins, x, old).store(best + i);
        select(wins, I32(static_cast<std::int32_t>(r)), I32::load(row + i)).store(row + i);
      }
    }
  }

  bool least;
  alignas(16) Element best[kTile];
  alignas(16) std::int32_t row[kTile];
};

/// The best of one contiguous row, folded into columns that all begin with its first value.
template <class T>
std::int32_t best_of_row(Scan<T>& scan, const T* in, std::size_t n) {
  constexpr std::size_t kFold = 16;
  // Of a short row, the columns take longer than the numbers.
  const std::size_t rows = n < 4 * kFold ? 0 : n / kFold;
  std::size_t at = 0;
  if (rows > 0) {
    alignas(16) T first[kFold];
    std::fill_n(first, kFold, in[0]);
    scan.start(first, kFold);
    std::fill_n(scan.row, kFold, -1);
    scan.run(in, rows, kFold, kFold);
    for (std::size_t i = 0; i < kFold; ++i) {
      if (scan.row[i] < 0) continue;
      const std::size_t other = static_cast<std::size_t>(scan.row[i]) * kFold + i;
      if (scan.better(in[other], in[at]) || (in[other] == in[at] && other < at)) at = other;
    }
  }
  for (std::size_t i = rows * kFold; i < n; ++i) {
    if (scan.better(in[i], in[at])) at = i;
  }
  return static_cast<std::int32_t>(at);
}

template <class T>
void arg_reduce_as(const KernelArgs& args, bool least) {
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
  Scan<T> scan(least);
  for (std::size_t o = 0; o < outer; ++o, in += reduced * inner, out += inner) {
    if (inner == 1) {
      *out = best_of_row(scan, in, reduced);
      continue;
    }
    for (std::size_t first = 0; first < inner; first += kTile) {
      const std::size_t columns = std::min(kTile, inner - first);
      scan.start(in + first, columns);
      scan.run(in + first, reduced, columns, inner);
      std::copy(scan.row, scan.row + columns, out + first);
    }
  }
}

void arg_reduce(const KernelArgs& args, bool least) {
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return arg_reduce_as<float>(args, least);
    case DType::kInt32: return arg_reduce_as<std::int32_t>(args, least);
    default: return arg_reduce_as<std::uint8_t>(args, least);
  }
}

}  // namespace

void arg_max(const KernelArgs& args) { arg_reduce(args, false); }
void arg_min(const KernelArgs& args) { arg_reduce(args, true); }

}  // namespace tenure::cpu
