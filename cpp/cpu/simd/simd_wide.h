#pragma once

#include "cpu/simd/simd.h"

/// Groups of N vectors that a function computes side by side: each constant is loaded once for all of them,
/// and their independent dependency chains hide latency.
namespace tenure::simd {

/// Forces inlining also in builds for size, where calls with vectors passed in memory would take ten times as
/// long.
#define TENURE_INLINE [[gnu::always_inline]] inline
#define TENURE_LAMBDA __attribute__((always_inline))

/// Calls f(i) for each i < N, unrolled regardless of the compiler's loop options.
template <int N, class F>
TENURE_INLINE void unrolled(const F& f) {
  if constexpr (N > 0) {
    unrolled<N - 1>(f);
    f(N - 1);
  }
}

template <int N>
struct WideMask {
  Mask v[N];
};

/// N vectors of four floats.
template <int N>
struct Wide {
  using Element = float;
  F32 v[N];
  Wide() = default;
  TENURE_INLINE Wide(F32 x) {
    unrolled<N>([&](int i) TENURE_LAMBDA { v[i] = x; });
  }
  TENURE_INLINE Wide(float x) : Wide(F32(x)) {}
  TENURE_INLINE static Wide load(const float* p) {
    Wide x;
    unrolled<N>([&](int i) TENURE_LAMBDA { x.v[i] = F32::load(p + i * kLanes); });
    return x;
  }
  TENURE_INLINE void store(float* p) const {
    unrolled<N>([&](int i) TENURE_LAMBDA { v[i].store(p + i * kLanes); });
  }
};

/// Returns vector `i` of an operand; a single F32 is used for every i.
template <int N>
TENURE_INLINE F32 vector_at(const Wide<N>& x, int i) {
  return x.v[i];
}
TENURE_INLINE F32 vector_at(F32 x, int) { return x; }

template <int N, class F>
TENURE_INLINE Wide<N> make_wide(const F& f) {
  Wide<N> y;
  unrolled<N>([&](int i) TENURE_LAMBDA { y.v[i] = f(i); });
  return y;
}
template <int N, class F>
TENURE_INLINE WideMask<N> make_wide_mask(const F& f) {
  WideMask<N> y;
  unrolled<N>([&](int i) TENURE_LAMBDA { y.v[i] = f(i); });
  return y;
}

#define TENURE_WIDE(Result, name, apply, make)                                  \
  template <int N>                                                              \
  TENURE_INLINE Result<N> name(const Wide<N>& a, const Wide<N>& b) {            \
    return make<N>([&](int i) TENURE_LAMBDA { return apply(a.v[i], b.v[i]); }); \
  }                                                                             \
  template <int N>                                                              \
  TENURE_INLINE Result<N> name(const Wide<N>& a, F32 b) {                       \
    return make<N>([&](int i) TENURE_LAMBDA { return apply(a.v[i], b); });      \
  }                                                                             \
  template <int N>                                                              \
  TENURE_INLINE Result<N> name(F32 a, const Wide<N>& b) {                       \
    return make<N>([&](int i) TENURE_LAMBDA { return apply(a, b.v[i]); });      \
  }
#define TENURE_WIDE_OPERATOR(Result, op, make)                              \
  template <int N>                                                          \
  TENURE_INLINE Result<N> operator op(const Wide<N>& a, const Wide<N>& b) { \
    return make<N>([&](int i) TENURE_LAMBDA { return a.v[i] op b.v[i]; });  \
  }                                                                         \
  template <int N>                                                          \
  TENURE_INLINE Result<N> operator op(const Wide<N>& a, F32 b) {            \
    return make<N>([&](int i) TENURE_LAMBDA { return a.v[i] op b; });       \
  }                                                                         \
  template <int N>                                                          \
  TENURE_INLINE Result<N> operator op(F32 a, const Wide<N>& b) {            \
    return make<N>([&](int i) TENURE_LAMBDA { return a op b.v[i]; });       \
  }
TENURE_WIDE_OPERATOR(Wide, +, make_wide)
TENURE_WIDE_OPERATOR(Wide, -, make_wide)
TENURE_WIDE_OPERATOR(Wide, *, make_wide)
TENURE_WIDE_OPERATOR(Wide, /, make_wide)
TENURE_WIDE_OPERATOR(WideMask, <, make_wide_mask)
TENURE_WIDE_OPERATOR(WideMask, >, make_wide_mask)
TENURE_WIDE_OPERATOR(WideMask, >=, make_wide_mask)
TENURE_WIDE_OPERATOR(WideMask, ==, make_wide_mask)
TENURE_WIDE_OPERATOR(WideMask, !=, make_wide_mask)
TENURE_WIDE(Wide, max, max, make_wide)
TENURE_WIDE(Wide, min, min, make_wide)
#undef TENURE_WIDE_OPERATOR
#undef TENURE_WIDE

/// Sign-bit mask of each lane. It lies in memory and is loaded once for all vectors, because V8 builds a
/// constant mask from several instructions at each use.
extern const F32 kSignBits;
template <int N>
TENURE_INLINE Wide<N> operator-(const Wide<N>& x) {
  const RawI32 sign = bits(kSignBits);
  return make_wide<N>([&](int i) TENURE_LAMBDA { return from_bits(bits(x.v[i]) ^ sign); });
}
template <int N>
TENURE_INLINE Wide<N> abs(const Wide<N>& x) {
  const RawI32 rest = ~bits(kSignBits);
  return make_wide<N>([&](int i) TENURE_LAMBDA { return from_bits(bits(x.v[i]) & rest); });
}

/// Returns a * b + c; b and c may each be one vector for all N.
template <int N, class B, class C>
TENURE_INLINE Wide<N> madd(const Wide<N>& a, const B& b, const C& c) {
  return make_wide<N>([&](int i) TENURE_LAMBDA { return madd(a.v[i], vector_at(b, i), vector_at(c, i)); });
}
/// Returns c - a * b; b and c may each be one vector for all N.
template <int N, class B, class C>
TENURE_INLINE Wide<N> nmadd(const Wide<N>& a, const B& b, const C& c) {
  return make_wide<N>([&](int i) TENURE_LAMBDA { return nmadd(a.v[i], vector_at(b, i), vector_at(c, i)); });
}
template <int N, class A, class B>
TENURE_INLINE Wide<N> select(const WideMask<N>& m, const A& then, const B& otherwise) {
  return make_wide<N>(
      [&](int i) TENURE_LAMBDA { return select(m.v[i], vector_at(then, i), vector_at(otherwise, i)); });
}

}  // namespace tenure::simd
