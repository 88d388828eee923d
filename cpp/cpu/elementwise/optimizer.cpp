#include "cpu/elementwise/optimizer.h"

#include "cpu/elementwise/elementwise.h"

namespace tenure::cpu {
namespace {

/// Values of the variable (0) and the slots of one update; null for slots that the optimizer does not have.
struct OptimizerState {
  const float* before[4];
  float* after[4];
};

#define OPTIMIZER(Name, slots, ...)                                                                          \
  template <class V>                                                                                         \
  void step##Name(const UpdateAttrs& p, const float* gradient, const OptimizerState& state, std::size_t n) { \
    for (std::size_t i = 0; i < n; i += simd::kLanes) {                                                      \
      const V g = V::load(gradient + i);                                                                     \
      V w = V::load(state.before[0] + i);                                                                    \
      [[maybe_unused]] V a = slots > 0 ? V::load(state.before[1] + i) : g;                                   \
      [[maybe_unused]] V b = slots > 1 ? V::load(state.before[2] + i) : g;                                   \
      [[maybe_unused]] V c = slots > 2 ? V::load(state.before[3] + i) : g;                                   \
      __VA_ARGS__;                                                                                           \
      store_up_to(state.after[0] + i, w, n - i);                                                             \
      if constexpr (slots > 0) store_up_to(state.after[1] + i, a, n - i);                                    \
      if constexpr (slots > 1) store_up_to(state.after[2] + i, b, n - i);                                    \
      if constexpr (slots > 2) store_up_to(state.after[3] + i, c, n - i);                                    \
    }                                                                                                        \
  }
#include "lists/optimizers.def"

}  // namespace

void update(const UpdateAttrs& attrs, const Tensor& gradient, std::span<const Tensor> before,
            std::span<Tensor> after) {
  OptimizerState state{};
  for (std::size_t i = 0; i < before.size(); ++i) {
    state.before[i] = before[i].data<float>();
    state.after[i] = after[i].mutable_data<float>();
  }
  const std::size_t n = gradient.elements();
  switch (attrs.optimizer) {
#define OPTIMIZER(Name, ...) \
  case Optimizer::k##Name: return step##Name<simd::F32>(attrs, gradient.data<float>(), state, n);
#include "lists/optimizers.def"
  }
}

}  // namespace tenure::cpu
