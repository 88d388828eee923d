#pragma once

#include <cstring>

#include "core/run/op.h"
#include "cpu/simd/simd_power.h"
#include "cpu/simd/simd_trigonometry.h"

/// Loops around the elementwise expressions of lists/ops.def. Loads may run up to 16 bytes past a tensor's
/// end (Storage keeps that much slack); stores never do.
namespace tenure::cpu {

// Load four elements of a tensor.
typedef std::uint8_t RawU8 __attribute__((vector_size(4)));
inline simd::F32 load(const float* p) { return simd::F32::load(p); }
inline simd::I32 load(const std::int32_t* p) { return simd::I32::load(p); }
inline simd::I32 load(const std::uint8_t* p) {
  RawU8 bytes;
  std::memcpy(&bytes, p, sizeof bytes);
  return __builtin_convertvector(bytes, simd::RawI32);
}

typedef std::uint8_t RawBytes __attribute__((vector_size(16)));
typedef std::uint16_t RawU16 __attribute__((vector_size(16)));
/// Widens 16 bytes to four vectors of int32, in two steps of one instruction each.
inline void widen(const RawBytes& bytes, simd::I32 (&lanes)[4]) {
  const RawU16 low =
      __builtin_convertvector(__builtin_shufflevector(bytes, bytes, 0, 1, 2, 3, 4, 5, 6, 7), RawU16);
  const RawU16 high =
      __builtin_convertvector(__builtin_shufflevector(bytes, bytes, 8, 9, 10, 11, 12, 13, 14, 15), RawU16);
  lanes[0] = __builtin_convertvector(__builtin_shufflevector(low, low, 0, 1, 2, 3), simd::RawI32);
  lanes[1] = __builtin_convertvector(__builtin_shufflevector(low, low, 4, 5, 6, 7), simd::RawI32);
  lanes[2] = __builtin_convertvector(__builtin_shufflevector(high, high, 0, 1, 2, 3), simd::RawI32);
  lanes[3] = __builtin_convertvector(__builtin_shufflevector(high, high, 4, 5, 6, 7), simd::RawI32);
}

inline void store(float* p, simd::F32 x) { x.store(p); }
inline void store(std::int32_t* p, simd::I32 x) { x.store(p); }
inline void store(std::uint8_t* p, simd::Mask m) {
  const RawU8 bytes = __builtin_convertvector(m.v & 1, RawU8);
  std::memcpy(p, &bytes, sizeof bytes);
}

/// Stores the first one, two or three lanes. A call of memcpy() would take longer.
template <class T, class V>
void store_first(T* p, V x, std::size_t count) {
  p[0] = x[0];
  if (count > 1) p[1] = x[1];
  if (count > 2) p[2] = x[2];
}

/// Loads one, two or three elements, and zeros in the other lanes: another thread may be writing what lies
/// behind them.
inline simd::F32 load_first(const float* p, std::size_t count) {
  const float lanes[simd::kLanes] = {p[0], count > 1 ? p[1] : 0, count > 2 ? p[2] : 0};
  return load(lanes);
}

// Stores the first `count` lanes, at most four. Loops use it in every iteration: a copy of the expression for
// the last few elements would double every op's code.
template <class T, class V>
void store_up_to(T* p, V x, std::size_t count) {
  if (count >= simd::kLanes) [[likely]] {
    store(p, x);
  } else {
    store_first(p, x, count);
  }
}

/// Unroll factor: vectors per iteration of an expression's loop, as its row of lists/ops.def states; 1 for
/// functions that are not expressions of ops.
template <class F>
constexpr int kUnroll = 1;
template <class F>
  requires requires { F::kUnroll; }
constexpr int kUnroll<F> = F::kUnroll;

/// Computes out[i] = f(in[i]) for a function f of vectors. `out` may be `in`.
template <class F>
void map(const float* in, float* out, std::size_t count, F f) {
  std::size_t i = 0;
  for (; i + 4 * simd::kLanes <= count; i += 4 * simd::kLanes) {
    simd::unrolled<4>([&](std::size_t k) TENURE_LAMBDA {
      store(out + i + k * simd::kLanes, f(load(in + i + k * simd::kLanes)));
    });
  }
  for (; i + simd::kLanes <= count; i += simd::kLanes) store(out + i, f(load(in + i)));
  if (i == count) return;
  store_first(out + i, f(load_first(in + i, count - i)), count - i);
}

// Row kernels: loops over whole vectors that call nothing, because V8 unrolls such loops. run_unary()
// computes the last few elements.
template <class F, class T, class Out, class Attrs>
void unary_row(const void* values, void* result, std::size_t n, const void* attrs) {
  const T* in = static_cast<const T*>(values);
  Out* out = static_cast<Out*>(result);
  // A copy: stores may alias the attributes.
  const Attrs p = *static_cast<const Attrs*>(attrs);
  std::size_t i = 0;
  if constexpr (kUnroll<F> > 1 && std::is_same_v<T, float>) {
    using Wide = simd::Wide<kUnroll<F>>;
#pragma GCC unroll 1
    for (; i + simd::kLanes * kUnroll<F> <= n; i += simd::kLanes * kUnroll<F>) {
      F::apply(Wide::load(in + i), p).store(out + i);
    }
  } else if constexpr (std::is_same_v<T, std::uint8_t> && !std::is_same_v<Out, std::uint8_t>) {
#pragma GCC unroll 1
    for (; i + 4 * simd::kLanes <= n; i += 4 * simd::kLanes) {
      RawBytes bytes;
      std::memcpy(&bytes, in + i, sizeof bytes);
      simd::I32 lanes[4];
      widen(bytes, lanes);
      simd::unrolled<4>([&](int k)
                            TENURE_LAMBDA { store(out + i + k * simd::kLanes, F::apply(lanes[k], p)); });
    }
  }
#pragma GCC unroll 1
  for (; i < n; i += simd::kLanes) store(out + i, F::apply(load(in + i), p));
}

/// Masks of the index into an operand: an operand is read element by element, or broadcast from its first
/// vector, whose lanes all hold one number.
constexpr std::size_t kStridedMask = ~std::size_t{0};
constexpr std::size_t kBroadcastMask = 0;

template <class F, class T, class Out>
void binary_row(const void* first, const void* second, void* result, std::size_t n, std::size_t first_mask,
                std::size_t second_mask) {
  const T* a = static_cast<const T*>(first);
  const T* b = static_cast<const T*>(second);
  Out* out = static_cast<Out*>(result);
  std::size_t i = 0;
  if constexpr (kUnroll<F> > 1 && std::is_same_v<T, float>) {
    // A broadcast number stays in a register: loading it in each iteration would take a third of the loop's
    // time.
    using Wide = simd::Wide<kUnroll<F>>;
    const auto run = [&](auto x, auto y) TENURE_LAMBDA {
#pragma GCC unroll 1
      for (; i + simd::kLanes * kUnroll<F> <= n; i += simd::kLanes * kUnroll<F>) {
        F::apply(x(i), y(i)).store(out + i);
      }
    };
    const auto along = [](const float* p) TENURE_LAMBDA {
      return [p](std::size_t at) TENURE_LAMBDA { return Wide::load(p + at); };
    };
    const auto splat = [](const float* p) TENURE_LAMBDA {
      return [x = Wide(load(p))](std::size_t) TENURE_LAMBDA { return x; };
    };
    if (first_mask == kBroadcastMask) {
      run(splat(a), along(b));
    } else if (second_mask == kBroadcastMask) {
      run(along(a), splat(b));
    } else {
      run(along(a), along(b));
    }
  }
#pragma GCC unroll 1
  for (; i < n; i += simd::kLanes) {
    store(out + i, F::apply(load(a + (i & first_mask)), load(b + (i & second_mask))));
  }
}

/// Row kernel of a unary op for one pair of types; `n` is a multiple of four. The code around it depends on
/// sizes only, and is compiled once.
struct UnaryRow {
  void (*run)(const void* in, void* out, std::size_t n, const void* attrs);
  std::size_t in_size;
  std::size_t out_size;
};
template <class F, class T, class Out, class Attrs>
constexpr UnaryRow kUnaryRow = {unary_row<F, T, Out, Attrs>, sizeof(T), sizeof(Out)};

/// Row kernel of a binary op for one pair of types; `n` is a multiple of four.
struct BinaryRow {
  void (*run)(const void* a, const void* b, void* out, std::size_t n, std::size_t a_mask, std::size_t b_mask);
  std::size_t in_size;
  std::size_t out_size;
};
template <class F, class T, class Out>
constexpr BinaryRow kBinaryRow = {binary_row<F, T, Out>, sizeof(T), sizeof(Out)};

/// Computes out[i] = F(in[i]) for any `n`, on several threads if it is large.
void run_unary(const UnaryRow& row, const void* in, void* out, std::size_t n, const void* attrs);

/// Row kernel of an op from float32 to float32, either unary or binary; both null if the op has none.
struct FloatRow {
  const UnaryRow* unary = nullptr;
  const BinaryRow* binary = nullptr;
};
template <class F, DTypeRule kRule, class Attrs>
constexpr FloatRow unary_float_row() {
  if constexpr (kRule == DTypeRule::kLogical || kRule == DTypeRule::kTest) {
    return {};
  } else {
    return {&kUnaryRow<F, float, float, Attrs>, nullptr};
  }
}
template <class F, DTypeRule kRule>
constexpr FloatRow binary_float_row() {
  if constexpr (kRule == DTypeRule::kLogical || kRule == DTypeRule::kCompare) {
    return {};
  } else {
    return {nullptr, &kBinaryRow<F, float, float>};
  }
}

/// Runs a row kernel over whole tensors with broadcasting, on several threads.
void run_binary(const KernelArgs& args, const BinaryRow& row);

/// Kernel of a unary op: selects the row kernel for the element types of its rule.
template <class F, DTypeRule kRule, class Attrs>
void unary_kernel(const KernelArgs& args) {
  using Int = std::int32_t;
  using Bool = std::uint8_t;
  const Attrs attrs = args.attrs.as<Attrs>();
  const auto run = [&](const UnaryRow& row) {
    run_unary(row, args.in[0].data<std::byte>(), args.out.mutable_data<std::byte>(), args.out.elements(),
              &attrs);
  };
  if constexpr (kRule == DTypeRule::kLogical) {
    run(kUnaryRow<F, Bool, Bool, Attrs>);
  } else if constexpr (kRule == DTypeRule::kTest) {
    run(kUnaryRow<F, float, Bool, Attrs>);
  } else if constexpr (kRule == DTypeRule::kSame) {
    run(args.in[0].dtype() == DType::kInt32 ? kUnaryRow<F, Int, Int, Attrs>
                                            : kUnaryRow<F, float, float, Attrs>);
  } else {
    run(kUnaryRow<F, float, float, Attrs>);
  }
}

template <class F, DTypeRule kRule>
void binary_kernel(const KernelArgs& args) {
  using Int = std::int32_t;
  using Bool = std::uint8_t;
  if constexpr (kRule == DTypeRule::kLogical) {
    run_binary(args, kBinaryRow<F, Bool, Bool>);
  } else if constexpr (kRule == DTypeRule::kFloat) {
    run_binary(args, kBinaryRow<F, float, float>);
  } else {
    const bool is_int = args.in[0].dtype() == DType::kInt32;
    if constexpr (kRule == DTypeRule::kCompare) {
      run_binary(args, is_int ? kBinaryRow<F, Int, Bool> : kBinaryRow<F, float, Bool>);
    } else {
      run_binary(args, is_int ? kBinaryRow<F, Int, Int> : kBinaryRow<F, float, float>);
    }
  }
}

}  // namespace tenure::cpu
