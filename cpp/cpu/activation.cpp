#include "cpu/activation.h"

#include "core/activation.h"
#include "cpu/elementwise.h"
#include "cpu/expressions.h"

namespace tenure::cpu {
namespace {

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
#define ACTIVATION(name, op, A, word)                                                               \
  case Activation::name:                                                                            \
    return each_value<kVectorsOf<expressions::unary_##op>>(                                         \
        values, values, count, [attrs = attrs_with<A##Attrs>(alpha)](const auto& x) TENURE_LAMBDA { \
          return expressions::unary_##op::apply(x, attrs);                                          \
        });
#include "ops/activations.def"
  }
}

}  // namespace tenure::cpu
