#include <algorithm>
#include <limits>
#include <utility>

#include "cpu/elementwise.h"
#include "cpu/kernels.h"
#include "cpu/reduction_runs.h"

// Every reduction is one loop: rows of a matrix are combined into a row of accumulators. A reduction over the
// last axis gets there by folding its one long row into many short ones.
namespace tenure::cpu {
namespace {

using simd::F32;
using simd::F64;
using simd::I32;

// A reducer says in which type single values are combined (Lane), in which they are accumulated (Sum), and
// how.

// Groups of rows in float, their sum in double: as fast as memory, and within about 1e-7 for any number of
// rows.
struct AddF32 {
  using Lane = F32;
  using Sum = F64;
  static constexpr double kIdentity = 0;
  template <class T>
  static F32 read(const T* p) {
    if constexpr (std::is_same_v<T, float>) {
      return load(p);
    } else {
      return to_float(load(p));
    }
  }
  static F32 combine(F32 a, F32 b) { return a + b; }
  static F64 combine(F64 a, F64 b) { return a + b; }
  static F64 widen(F32 x) { return to_double(x); }
};

// In double throughout: a product of floats may leave float's range and come back.
struct MulF32 {
  using Lane = F64;
  using Sum = F64;
  static constexpr double kIdentity = 1;
  static F64 read(const float* p) { return to_double(load(p)); }
  static F64 combine(F64 a, F64 b) { return a * b; }
  static F64 widen(F64 x) { return x; }
};

template <class V>
struct Same {
  using Lane = V;
  using Sum = V;
  template <class T>
  static V read(const T* p) {
    return load(p);
  }
  static V widen(V x) { return x; }
};

struct AddI32 : Same<I32> {
  static constexpr std::int32_t kIdentity = 0;
  static I32 combine(I32 a, I32 b) { return a + b; }
};
struct MulI32 : Same<I32> {
  static constexpr std::int32_t kIdentity = 1;
  static I32 combine(I32 a, I32 b) { return a * b; }
};
// The select keeps a NaN of either side.
struct MaxF32 : Same<F32> {
  static constexpr float kIdentity = -simd::kInfinity;
  static F32 combine(F32 a, F32 b) { return select(b == b, max(a, b), b); }
};
struct MinF32 : Same<F32> {
  static constexpr float kIdentity = simd::kInfinity;
  static F32 combine(F32 a, F32 b) { return select(b == b, min(a, b), b); }
};
template <class T>
struct MaxI32 : Same<I32> {
  static constexpr std::int32_t kIdentity = std::numeric_limits<T>::lowest();
  static I32 combine(I32 a, I32 b) { return max(a, b); }
};
template <class T>
struct MinI32 : Same<I32> {
  static constexpr std::int32_t kIdentity = std::numeric_limits<T>::max();
  static I32 combine(I32 a, I32 b) { return min(a, b); }
};

/// acc[i] = combine(acc[i], in[0][i], in[1][i], ...). Up to three columns beyond `width` are computed for
/// nothing.
template <class R, class T>
void accumulate(typename R::Sum::Element* acc, const T* in, std::size_t rows, std::size_t width,
                std::size_t stride) {
  using Sum = typename R::Sum;
  constexpr std::size_t kGroup = 8;
  std::size_t r = 0;
  for (; r + kGroup <= rows; r += kGroup, in += kGroup * stride) {
    for (std::size_t i = 0; i < width; i += simd::kLanes) {
      const auto at = [&](std::size_t row) { return R::read(in + row * stride + i); };
      const auto low = R::combine(R::combine(at(0), at(1)), R::combine(at(2), at(3)));
      const auto high = R::combine(R::combine(at(4), at(5)), R::combine(at(6), at(7)));
      R::combine(Sum::load(acc + i), R::widen(R::combine(low, high))).store(acc + i);
    }
  }
  for (; r < rows; ++r, in += stride) {
    for (std::size_t i = 0; i < width; i += simd::kLanes) {
      R::combine(Sum::load(acc + i), R::widen(R::read(in + i))).store(acc + i);
    }
  }
}

/// acc[k] = the values of row k combined, for four rows of `width` values; rows beyond `rows` repeat the
/// last.
template <class R, class T>
void across_rows(typename R::Sum::Element* acc, const T* in, std::size_t rows, std::size_t width) {
  using Sum = typename R::Sum;
  const T* row[simd::kLanes];
  for (std::size_t k = 0; k < simd::kLanes; ++k) row[k] = in + std::min(k, rows - 1) * width;
  Sum sum = Sum::load(acc);
  for (std::size_t i = 0; i < width; ++i) {
    const T column[simd::kLanes] = {row[0][i], row[1][i], row[2][i], row[3][i]};
    sum = R::combine(sum, R::widen(R::read(column)));
  }
  sum.store(acc);
}

constexpr std::size_t kTile = 1024;
constexpr std::size_t kNarrow = 32;
// Below this, folding a row costs more than its values; measured in wasm.
constexpr std::size_t kShort = 96;

template <class Out, class Element>
void put(Out* out, const Element* acc, std::size_t n, double divisor) {
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<Out, float>) {
      out[i] = static_cast<float>(acc[i] / divisor);
    } else {
      out[i] = static_cast<Out>(acc[i]);
    }
  }
}

template <class R, class T, class Out>
void reduce_short_rows(const T* in, Out* out, std::size_t rows, std::size_t width, double divisor) {
  using Element = typename R::Sum::Element;
  for (std::size_t r = 0; r < rows; r += simd::kLanes) {
    const std::size_t count = std::min<std::size_t>(simd::kLanes, rows - r);
    Element acc[simd::kLanes];
    std::fill_n(acc, simd::kLanes, Element{R::kIdentity});
    across_rows<R>(acc, in + r * width, count, width);
    put(out + r, acc, count, divisor);
  }
}

/// out[o, i] = in[o, 0, i] combined with in[o, 1, i] ..., then divided by `divisor`.
template <class R, class T, class Out>
void reduce_middle(const T* in, Out* out, Extents e, double divisor) {
  if (e.inner == 1 && e.reduced < kShort) return reduce_short_rows<R>(in, out, e.outer, e.reduced, divisor);
  using Sum = typename R::Sum;
  using Element = typename Sum::Element;
  alignas(16) Element acc[kTile + simd::kLanes];
  std::size_t fold = 1;
  while (fold * e.inner < kNarrow && fold * 2 <= e.reduced) fold *= 2;
  for (std::size_t o = 0; o < e.outer; ++o, in += e.reduced * e.inner, out += e.inner) {
    for (std::size_t first = 0; first < e.inner; first += kTile) {
      const std::size_t columns = std::min(kTile, e.inner - first);
      std::size_t width = columns * fold;
      std::fill(acc, acc + width + simd::kLanes, Element{R::kIdentity});
      accumulate<R>(acc, in + first, e.reduced / fold, width, e.inner * fold);
      while (width > columns) {
        width /= 2;
        for (std::size_t i = 0; i < width; i += simd::kLanes) {
          R::combine(Sum::load(acc + i), Sum::load(acc + width + i)).store(acc + i);
        }
      }
      const std::size_t done = e.reduced / fold * fold;
      accumulate<R>(acc, in + done * e.inner + first, e.reduced - done, columns, e.inner);
      put(out + first, acc, columns, divisor);
    }
  }
}

/// The last run first, so that what the others work on is as small as it gets.
template <class R, class T, class Out>
void reduce_runs(const T* in, Out* out, ReductionRuns runs, double divisor) {
  const Extents e = runs.pop();
  if (!runs.any_reduced()) return reduce_middle<R>(in, out, e, divisor);
  Tensor partial(TensorSpec{{static_cast<std::int32_t>(e.outer * e.inner)}, DTypeOf<Out>::value});
  reduce_middle<R>(in, partial.mutable_data<Out>(), e, 1);
  reduce_runs<R>(std::as_const(partial).data<Out>(), out, runs, divisor);
}

template <class R, class T, class Out>
void reduce(const KernelArgs& args, double divisor = 1) {
  const Tensor& x = args.in[0];
  const Dims axes = normalize_axes(args.attrs.as<ReduceAttrs>().axes, x.rank());
  reduce_runs<R>(x.data<T>(), args.out.mutable_data<Out>(), ReductionRuns(x.shape(), axes), divisor);
}

}  // namespace

void sum(const KernelArgs& args) {
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return reduce<AddF32, float, float>(args);
    case DType::kInt32: return reduce<AddI32, std::int32_t, std::int32_t>(args);
    default: return reduce<AddI32, std::uint8_t, std::int32_t>(args);
  }
}

void mean(const KernelArgs& args) {
  const double divisor =
      static_cast<double>(args.in[0].elements()) / static_cast<double>(args.out.elements());
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return reduce<AddF32, float, float>(args, divisor);
    case DType::kInt32: return reduce<AddF32, std::int32_t, float>(args, divisor);
    default: return reduce<AddF32, std::uint8_t, float>(args, divisor);
  }
}

void prod(const KernelArgs& args) {
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return reduce<MulF32, float, float>(args);
    case DType::kInt32: return reduce<MulI32, std::int32_t, std::int32_t>(args);
    default: return reduce<MulI32, std::uint8_t, std::int32_t>(args);
  }
}

void max(const KernelArgs& args) {
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return reduce<MaxF32, float, float>(args);
    case DType::kInt32: return reduce<MaxI32<std::int32_t>, std::int32_t, std::int32_t>(args);
    default: return any(args);
  }
}

void min(const KernelArgs& args) {
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return reduce<MinF32, float, float>(args);
    case DType::kInt32: return reduce<MinI32<std::int32_t>, std::int32_t, std::int32_t>(args);
    default: return all(args);
  }
}

void any(const KernelArgs& args) { reduce<MaxI32<bool>, std::uint8_t, std::uint8_t>(args); }
void all(const KernelArgs& args) { reduce<MinI32<bool>, std::uint8_t, std::uint8_t>(args); }

}  // namespace tenure::cpu
