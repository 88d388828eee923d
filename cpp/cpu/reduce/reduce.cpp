#include <algorithm>
#include <utility>

#include "core/memory/allocator.h"
#include "cpu/kernels.h"
#include "cpu/movement/transpose_block.h"
#include "cpu/reduce/reducers.h"
#include "cpu/threads/parallel.h"
#include "shape_util/reduce.h"

// Every reduction is one loop that combines rows of a matrix into a row of accumulators. A reduction over the
// last axis folds its one long row into many short ones first, or takes four rows at a time.
namespace tenure::cpu {
namespace {

/// Kernels of one reduction for one pair of types. Their callers depend on sizes only, and are compiled once.
struct ReduceKernels {
  void (*start)(void* acc, std::size_t n);
  void (*accumulate)(void* acc, const void* in, std::size_t rows, std::size_t width, std::size_t stride);
  void (*fold)(void* acc, std::size_t half);
  void (*finish)(const void* acc, void* out, std::size_t n, double scale);
  void (*short_rows)(const void* in, void* out, std::size_t rows, std::size_t width, double scale);
  std::size_t in_size;
  std::size_t out_size;
  const ReduceKernels* second_pass;  ///< reduce partial results of these
};

template <class R>
void start(void* accumulators, std::size_t n) {
  using Element = typename R::Sum::Element;
  std::fill_n(static_cast<Element*>(accumulators), n, Element{R::kIdentity});
}

/// Computes acc[i] = combine(acc[i], in[0][i], in[1][i], ...). Up to three columns beyond `width` are
/// computed too, and mean nothing.
template <class R, class T>
void accumulate(void* accumulators, const void* values, std::size_t rows, std::size_t width,
                std::size_t stride) {
  using Sum = typename R::Sum;
  auto* acc = static_cast<typename Sum::Element*>(accumulators);
  const T* in = static_cast<const T*>(values);
  constexpr std::size_t kGroup = 8;
  std::size_t r = 0;
  for (; r + kGroup <= rows; r += kGroup, in += kGroup * stride) {
#pragma GCC unroll 1
    for (std::size_t i = 0; i < width; i += simd::kLanes) {
      const auto at = [&](std::size_t row) { return R::read(in + row * stride + i); };
      const auto low = R::combine(R::combine(at(0), at(1)), R::combine(at(2), at(3)));
      const auto high = R::combine(R::combine(at(4), at(5)), R::combine(at(6), at(7)));
      R::combine(Sum::load(acc + i), R::widen(R::combine(low, high))).store(acc + i);
    }
  }
  for (; r < rows; ++r, in += stride) {
#pragma GCC unroll 1
    for (std::size_t i = 0; i < width; i += simd::kLanes) {
      R::combine(Sum::load(acc + i), R::widen(R::read(in + i))).store(acc + i);
    }
  }
}

/// Combines the second half of the accumulators into the first.
template <class R>
void fold(void* accumulators, std::size_t half) {
  using Sum = typename R::Sum;
  auto* acc = static_cast<typename Sum::Element*>(accumulators);
#pragma GCC unroll 1
  for (std::size_t i = 0; i < half; i += simd::kLanes) {
    R::combine(Sum::load(acc + i), Sum::load(acc + half + i)).store(acc + i);
  }
}

/// Stores four results, or `n` if that is less.
template <class Sum, class Out>
[[gnu::always_inline]] inline void store_results(const Sum& sum, Out* out, std::size_t n, double scale) {
  if constexpr (std::is_same_v<Sum, F64>) {
    store_up_to(out, to_float(sum * scale), n);
  } else if constexpr (std::is_same_v<Out, std::uint8_t>) {
    for (std::size_t k = 0; k < std::min<std::size_t>(simd::kLanes, n); ++k)
      out[k] = static_cast<Out>(sum[static_cast<int>(k)]);
  } else {
    store_up_to(out, sum, n);
  }
}

/// Writes the results of `n` accumulators; reads up to three accumulators beyond them.
template <class Sum, class Out>
void finish(const void* accumulators, void* result, std::size_t n, double scale) {
  const auto* acc = static_cast<const typename Sum::Element*>(accumulators);
  Out* out = static_cast<Out*>(result);
#pragma GCC unroll 1
  for (std::size_t i = 0; i < n; i += simd::kLanes)
    store_results<Sum, Out>(Sum::load(acc + i), out + i, n - i, scale);
}

/// Reduces four rows at a time, one per lane; beyond the end, the last row is repeated.
template <class R, class T, class Out>
void short_rows(const void* values, void* result, std::size_t rows, std::size_t width, double scale) {
  using Sum = typename R::Sum;
  const T* in = static_cast<const T*>(values);
  Out* out = static_cast<Out*>(result);
  for (std::size_t r = 0; r < rows; r += simd::kLanes, in += simd::kLanes * width) {
    const T* row[simd::kLanes] = {in};
#pragma GCC unroll 3
    for (std::size_t k = 1; k < simd::kLanes; ++k) row[k] = row[k - 1] + (r + k < rows ? width : 0);
    Sum sum = typename Sum::Element{R::kIdentity};
    std::size_t i = 0;
    if constexpr (std::is_same_v<T, float>) {
#pragma GCC unroll 1
      for (; i + simd::kLanes <= width; i += simd::kLanes) {
        T columns[simd::kLanes][simd::kLanes];
        transpose_4x4<T>({row[0] + i, row[1] + i, row[2] + i, row[3] + i}, columns[0], simd::kLanes);
        const auto at = [&](int column) { return R::read(columns[column]); };
        const auto all = R::combine(R::combine(at(0), at(1)), R::combine(at(2), at(3)));
        sum = R::combine(sum, R::widen(all));
      }
    }
#pragma GCC unroll 1
    for (; i < width; ++i) {
      const T column[simd::kLanes] = {row[0][i], row[1][i], row[2][i], row[3][i]};
      sum = R::combine(sum, R::widen(R::read(column)));
    }
    store_results<Sum, Out>(sum, out + r, rows - r, scale);
  }
}

template <class R, class T, class Out>
constexpr ReduceKernels kReduceKernels = {
    start<R>,
    accumulate<R, T>,
    fold<R>,
    finish<typename R::Sum, Out>,
    short_rows<R, T, Out>,
    sizeof(T),
    sizeof(Out),
    &kReduceKernels<R, Out, Out>,
};

constexpr std::size_t kStrip = 1024;
constexpr std::size_t kNarrow = 32;
constexpr std::size_t kWide = 256;
// Cost of a value, in units of grain_size().
constexpr std::size_t kWork = 4;
// Rows shorter than kMaxShort are reduced four at a time, because folding one costs more than its values.
// With kMinMany rows or more that holds below kMaxShortOfMany, because folding costs more than loading rows
// four at a time. Measured in wasm.
constexpr std::size_t kMaxShort = 96;
constexpr std::size_t kMaxShortOfMany = 2048;
constexpr std::size_t kMinMany = 8;

/// Returns how many rows of `inner` values are folded together: enough to fill the vectors, and, if there are
/// many, to make the inner loops long.
std::size_t fold_count(const Extents& e) {
  std::size_t folds = 1;
  while (folds * e.inner < kNarrow && folds * 2 <= e.reduced) folds *= 2;
  while (folds * e.inner < kWide && folds * 32 <= e.reduced) folds *= 2;
  return folds;
}

/// Reduces short rows, four at a time.
void reduce_short(const ReduceKernels& loops, const std::byte* in, std::byte* out, Extents e, double scale) {
  const std::size_t groups = (e.outer + simd::kLanes - 1) / simd::kLanes;
  parallel_for(groups, grain_size((e.reduced + 1) * simd::kLanes * kWork),
               [&](std::size_t begin, std::size_t end) {
                 const std::size_t first = begin * simd::kLanes;
                 const std::size_t rows = std::min(e.outer, end * simd::kLanes) - first;
                 loops.short_rows(in + first * e.reduced * loops.in_size, out + first * loops.out_size, rows,
                                  e.reduced, scale);
               });
}

/// Computes out[o, i] = (in[o, 0, i] combined with in[o, 1, i], ...) * scale.
void reduce_middle(const ReduceKernels& loops, const std::byte* in, std::byte* out, Extents e, double scale) {
  const bool is_short = e.reduced < (e.outer < kMinMany ? kMaxShort : kMaxShortOfMany);
  if (e.inner == 1 && is_short) return reduce_short(loops, in, out, e, scale);
  const std::size_t folds = fold_count(e);
  const std::size_t long_rows = e.reduced / folds;
  const std::size_t rest = long_rows * folds * e.inner;
  const std::size_t tiles = (e.inner + kStrip - 1) / kStrip;
  const std::size_t work = std::min(kStrip, e.inner) * (e.reduced + 1) * kWork;
  parallel_for(e.outer * tiles, grain_size(work), [&](std::size_t begin, std::size_t end) {
    alignas(16) std::byte acc[(kStrip + simd::kLanes) * sizeof(double)];
    for (std::size_t t = begin; t < end; ++t) {
      const std::size_t o = t / tiles;
      const std::size_t first = t % tiles * kStrip;
      const std::size_t columns = std::min(kStrip, e.inner - first);
      std::size_t width = columns * folds;
      const std::byte* tile = in + (o * e.reduced * e.inner + first) * loops.in_size;
      loops.start(acc, width + simd::kLanes);
      loops.accumulate(acc, tile, long_rows, width, e.inner * folds);
      for (; width > columns; width /= 2) loops.fold(acc, width / 2);
      loops.accumulate(acc, tile + rest * loops.in_size, e.reduced - long_rows * folds, columns, e.inner);
      loops.finish(acc, out + (o * e.inner + first) * loops.out_size, columns, scale);
    }
  });
}

/// Reduces the last run of dimensions first, so that the others work on as little as possible.
void reduce_runs(const ReduceKernels& loops, const std::byte* in, std::byte* out, CollapsedReduction runs,
                 double scale) {
  const Extents e = runs.pop();
  if (!runs.any_reduced()) return reduce_middle(loops, in, out, e, scale);
  const StoragePtr partial = Storage::allocate(checked_product(e.outer * e.inner, loops.out_size));
  auto* between = static_cast<std::byte*>(partial->mutable_data());
  reduce_middle(loops, in, between, e, 1);
  reduce_runs(*loops.second_pass, between, out, runs, scale);
}

void reduce(const KernelArgs& args, const ReduceKernels& loops, double scale = 1) {
  const Tensor& x = args.in[0];
  const Dims axes = normalize_axes(args.attrs.as<ReduceAttrs>().axes, x.rank());
  reduce_runs(loops, x.data<std::byte>(), args.out.mutable_data<std::byte>(),
              CollapsedReduction(x.shape(), axes), scale);
}

using Int = std::int32_t;
using Bool = std::uint8_t;

}  // namespace

void sum(const KernelArgs& args) {
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return reduce(args, kReduceKernels<AddF32, float, float>);
    case DType::kInt32: return reduce(args, kReduceKernels<AddI32, Int, Int>);
    default: return reduce(args, kReduceKernels<AddI32, Bool, Int>);
  }
}

void mean(const KernelArgs& args) {
  const double scale = static_cast<double>(args.out.elements()) / static_cast<double>(args.in[0].elements());
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return reduce(args, kReduceKernels<AddF32, float, float>, scale);
    case DType::kInt32: return reduce(args, kReduceKernels<AddF32, Int, float>, scale);
    default: return reduce(args, kReduceKernels<AddF32, Bool, float>, scale);
  }
}

void prod(const KernelArgs& args) {
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return reduce(args, kReduceKernels<MulF32, float, float>);
    case DType::kInt32: return reduce(args, kReduceKernels<MulI32, Int, Int>);
    default: return reduce(args, kReduceKernels<MulI32, Bool, Int>);
  }
}

void max(const KernelArgs& args) {
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return reduce(args, kReduceKernels<MaxF32, float, float>);
    case DType::kInt32: return reduce(args, kReduceKernels<MaxI32<Int>, Int, Int>);
    default: return any(args);
  }
}

void min(const KernelArgs& args) {
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return reduce(args, kReduceKernels<MinF32, float, float>);
    case DType::kInt32: return reduce(args, kReduceKernels<MinI32<Int>, Int, Int>);
    default: return all(args);
  }
}

void any(const KernelArgs& args) { reduce(args, kReduceKernels<MaxI32<bool>, Bool, Bool>); }
void all(const KernelArgs& args) { reduce(args, kReduceKernels<MinI32<bool>, Bool, Bool>); }

}  // namespace tenure::cpu
