#pragma once

#include <string_view>

#include "core/tensor.h"
#include "model/keras/config.h"

namespace tenure::keras {

/// The activations that a config may name.
enum class ActivationName {
  kLinear,
  kElu,
  kSelu,
  kRelu,
  kRelu6,
  kSigmoid,
  kHardSigmoid,
  kSoftplus,
  kSoftsign,
  kTanh,
  kSoftmax,
  kLogSoftmax,
  kSwish,
  kMish,
  kGelu,
  kGeluNew,
};

/// The activation under `key`: a name, or an object {class_name}. Throws for one that is not known.
ActivationName parse_activation(const Config& config, std::string_view key);

/// TensorFlow.js's formulas: hard_sigmoid is clip(0.2 x + 0.5, 0, 1), gelu the exact one, gelu_new its tanh
/// form.
Tensor activate(ActivationName name, const Tensor& x);

/// Whether it treats each element alone, wherever that lies; the softmaxes run along the last axis.
bool is_elementwise(ActivationName name);

/// Softmax along any axis.
Tensor softmax_along(const Tensor& x, int axis);

}  // namespace tenure::keras
