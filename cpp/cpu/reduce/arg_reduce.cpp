#include <algorithm>
#include <limits>

#include "cpu/elementwise/elementwise.h"
#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

using simd::I32;

// Reverses the order of values by flipping bits, so that arg_min runs as arg_max.
simd::F32 flipped(simd::F32 x, bool flip) {
  return simd::from_bits(simd::bits(x) ^ (flip ? std::numeric_limits<std::int32_t>::lowest() : 0));
}
simd::I32 flipped(simd::I32 x, bool flip) { return x.v ^ (flip ? -1 : 0); }

constexpr std::size_t kTile = 512;

/// Running maximum of each column and the row that it came from; the minimum if `is_min`. A NaN never wins
/// against a value, and no value against a NaN, so that it wins only as the first value, as in TensorFlow.js.
template <class T>
struct ColumnArgReduce {
  using V = decltype(load(static_cast<const T*>(nullptr)));
  using Element = typename V::Element;

  explicit ColumnArgReduce(bool finds_min) : is_min(finds_min) {}
  void start(const T* in, std::size_t width) {
    for (std::size_t i = 0; i < width; i += simd::kLanes) {
      flipped(load(in + i), is_min).store(best + i);
      I32(0).store(row + i);
    }
  }
  void run(const T* in, std::size_t rows, std::size_t width, std::size_t stride) {
    for (std::size_t r = 0; r < rows; ++r, in += stride) {
      for (std::size_t i = 0; i < width; i += simd::kLanes) {
        const V x = flipped(load(in + i), is_min);
        const V old = V::load(best + i);
        const auto wins = x > old;
        select(wins, x, old).store(best + i);
        select(wins, I32(static_cast<std::int32_t>(r)), I32::load(row + i)).store(row + i);
      }
    }
  }

  bool is_min;
  alignas(16) Element best[kTile];
  alignas(16) std::int32_t row[kTile];
};

/// Running maximum of each lane, and its index.
template <class V>
struct Best {
  V value;
  I32 at;

  void update(V x, I32 i) { take(x > value, x, i); }
  /// Merges another running maximum; of equal values, the first wins.
  void merge(const Best& other) {
    const auto equal = other.value == value && other.at < at;
    take(other.value > value || equal, other.value, other.at);
  }
  template <int... kLane>
  void merge_lanes() {
    merge(
        {__builtin_shufflevector(value.v, value.v, kLane...), __builtin_shufflevector(at.v, at.v, kLane...)});
  }

 private:
  template <class Mask>
  void take(Mask wins, V x, I32 i) {
    value = select(wins, x, value);
    at = select(wins, i, at);
  }
};

/// Returns the index of the maximum of a contiguous row, the minimum if `is_min`, without branching on each
/// new maximum.
template <class T>
std::int32_t row_arg_best(const T* in, std::size_t n, bool is_min) {
  using V = decltype(load(in));
  constexpr std::size_t kLanes = simd::kLanes;
  if (in[0] != in[0]) return 0;
  const auto index = [](std::size_t i) { return I32(static_cast<std::int32_t>(i)); };
  const auto update = [&](Best<V>& each, std::size_t i) {
    each.update(flipped(load(in + i), is_min), index(i) + simd::RawI32{0, 1, 2, 3});
  };
  const Best<V> first = {flipped(V(in[0]), is_min), I32(0)};
  Best<V> best = first;
  std::size_t i = 0;
  // Independent chains hide latency; for a short row, merging them takes longer.
  constexpr std::size_t kChains = 4;
  constexpr std::size_t kLong = 4 * kChains * kLanes;
  if (n >= kLong) {
    Best<V> chains[kChains] = {first, first, first, first};
    for (; i + kChains * kLanes <= n; i += kChains * kLanes) {
      for (std::size_t chain = 0; chain < kChains; ++chain) update(chains[chain], i + chain * kLanes);
    }
    for (const Best<V>& chain : chains) best.merge(chain);
  }
  for (; i + kLanes <= n; i += kLanes) update(best, i);
  for (; i < n; ++i) best.update(flipped(V(in[i]), is_min), index(i));
  // A row of fewer than kLanes values was compared in all lanes alike.
  if (n < kLanes) return best.at[0];
  best.template merge_lanes<2, 3, 0, 1>();
  best.template merge_lanes<1, 0, 3, 2>();
  return best.at[0];
}

template <class T>
void arg_reduce_as(const KernelArgs& args, bool is_min) {
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
  ColumnArgReduce<T> scan(is_min);
  for (std::size_t o = 0; o < outer; ++o, in += reduced * inner, out += inner) {
    if (inner == 1) {
      *out = row_arg_best(in, reduced, is_min);
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

void arg_reduce(const KernelArgs& args, bool is_min) {
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return arg_reduce_as<float>(args, is_min);
    case DType::kInt32: return arg_reduce_as<std::int32_t>(args, is_min);
    default: return arg_reduce_as<std::uint8_t>(args, is_min);
  }
}

}  // namespace

void arg_max(const KernelArgs& args) { arg_reduce(args, false); }
void arg_min(const KernelArgs& args) { arg_reduce(args, true); }

}  // namespace tenure::cpu
