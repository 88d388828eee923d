#include "cpu/activation.h"

#include "core/activation.h"
#include "cpu/elementwise.h"
#include "cpu/expressions.h"

namespace tenure::cpu {
namespace {

// kVectors: how many go through `f` at a time.
template <int kVectors = 1, class F>
void each_value(float* values, std::size_t count, F f) {
  std::size_t i = 0;
  if constexpr (kVectors > 1) {
    using Wide = simd::Wide<kVectors>;
    constexpr std::size_t kStep = kVectors * simd::kLanes;
    for (; i + kStep <= count; i += kStep) f(Wide::load(values + i)).store(values + i);
  }
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
  if (is_clamp(activation)) return;
  alpha = alpha_of(activation, alpha);
  switch (activation) {
    case Activation::kLinear: return;
#define ACTIVATION(name, op, A, word)                                                       \
  case Activation::name:                                                                    \
    return each_value<kVectorsOf<expressions::unary_##op>>(                                 \
        values, count, [attrs = attrs_with<A##Attrs>(alpha)](const auto& x) TENURE_LAMBDA { \
          return expressions::unary_##op::apply(x, attrs);                                  \
        });
#include "ops/activations.def"
  }
}

}  // namespace tenure::cpu
