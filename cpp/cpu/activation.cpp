#include "cpu/activation.h"

#include "cpu/elementwise.h"

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

}  // namespace

void activate(float* values, std::size_t count, Activation activation, float alpha) {
  using simd::F32;
  switch (activation) {
    case Activation::kLinear:
    case Activation::kRelu:
    case Activation::kRelu6: return;
    case Activation::kElu:
      return each_value(values, count, [scale = alpha == 0 ? 1.0F : alpha](F32 x) {
        return select(x > F32(0), x, scale * expm1(x));
      });
    case Activation::kSigmoid:
      return each_value<4>(values, count, [](const auto& x) TENURE_LAMBDA { return sigmoid(x); });
    case Activation::kTanh:
      return each_value<2>(values, count, [](const auto& x) TENURE_LAMBDA { return tanh(x); });
    case Activation::kLeakyRelu:
      return each_value(values, count, [alpha](F32 x) { return select(x < F32(0), alpha * x, x); });
    case Activation::kSwish:
      return each_value<4>(values, count, [](const auto& x) TENURE_LAMBDA { return x * sigmoid(x); });
    case Activation::kHardSigmoid:
      return each_value(values, count, [](F32 x) { return min(max(x * 0.2F + 0.5F, F32(0)), F32(1)); });
  }
}

}  // namespace tenure::cpu
