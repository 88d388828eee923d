#include "cpu/activation.h"

#include "core/activation.h"
#include "cpu/elementwise.h"
#include "cpu/expressions.h"

namespace tenure::cpu {
namespace {

template <class F>
void each_value(float* values, std::size_t count, F f) {
  std::size_t i = 0;
  for (; i + simd::kLanes <= count; i += simd::kLanes) store(values + i, f(load(values + i)));
  if (i == count) return;
  // A neighbour's thread may be writing what lies behind the last value.
  float rest[simd::kLanes] = {};
  std::memcpy(rest, values + i, (count - i) * sizeof(float));
  store_first(values + i, f(load(rest)), count - i);
}

template <class Attrs>
Attrs attrs_with(float alpha) {
  if constexpr (std::is_same_v<Attrs, AlphaAttrs>) {
    return {alpha};
  } else {
    return {};
  }
}

}  // namespace

void activate(float* values, std::size_t count, Activation activation, float alpha) {
  using simd::F32;
  if (is_clamp(activation)) return;
  alpha = alpha_of(activation, alpha);
  switch (activation) {
    case Activation::kLinear: return;
#define ACTIVATION(name, op, A, word)                                               \
  case Activation::name:                                                            \
    return each_value(values, count, [attrs = attrs_with<A##Attrs>(alpha)](F32 x) { \
      return expressions::unary_##op::apply(x, attrs);                              \
    });
#include "ops/activations.def"
  }
}

}  // namespace tenure::cpu
