#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "catch.h"
#include "core/activation.h"
#include "core/tensor.h"

/// Helpers of the tests of linear ops: reproducible inputs and naive double-precision arithmetic.
namespace tenure::reference {

/// Returns numbers in [-1, 1), the same for the same seed.
inline Tensor noise(const Shape& shape, std::uint32_t seed) {
  Tensor tensor(TensorSpec{shape, DType::kFloat32});
  std::uint32_t state = seed * 2654435761U + 1;
  for (std::size_t i = 0; i < tensor.elements(); ++i) {
    state = state * 1664525U + 1013904223U;
    tensor.mutable_data<float>()[i] = static_cast<float>(state >> 8) / 8388608.0F - 1.0F;
  }
  return tensor;
}

inline double activate(double x, Activation activation, double alpha) {
  switch (activation) {
    case Activation::kLinear: return x;
    case Activation::kRelu: return std::max(x, 0.0);
    case Activation::kRelu6: return std::min(std::max(x, 0.0), 6.0);
    case Activation::kElu: return x > 0 ? x : (alpha == 0 ? 1 : alpha) * std::expm1(x);
    case Activation::kSelu: return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x));
    case Activation::kSigmoid: return 1 / (1 + std::exp(-x));
    case Activation::kTanh: return std::tanh(x);
    case Activation::kLeakyRelu: return x < 0 ? alpha * x : x;
    case Activation::kSoftplus: return std::log1p(std::exp(x));
    case Activation::kSoftsign: return x / (1 + std::abs(x));
    case Activation::kSwish: return x / (1 + std::exp(-x));
    case Activation::kMish: return x * std::tanh(std::log1p(std::exp(x)));
    case Activation::kGelu: return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
    case Activation::kGeluNew:
      return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    case Activation::kHardSigmoid: return std::min(std::max(0.2 * x + 0.5, 0.0), 1.0);
  }
  return x;
}

/// Returns the largest error, relative to max(1, |expected|); infinite if only one of a pair is NaN.
inline double error(const Tensor& got, const std::vector<double>& expected) {
  REQUIRE(got.elements() == expected.size());
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double value = got.data<float>()[i];
    if (value == expected[i] || (std::isnan(value) && std::isnan(expected[i]))) continue;
    const double difference = std::abs(value - expected[i]) / std::max(1.0, std::abs(expected[i]));
    if (!(difference <= worst)) worst = std::isnan(difference) ? INFINITY : difference;
  }
  return worst;
}

}  // namespace tenure::reference
