#pragma once

#include <string_view>

#include "core/run/op.h"
#include "import/keras/config.h"

namespace tenure::keras {

/// Returns the op of the activation under `key`, which is a name or an object {class_name}: identity for
/// linear, an elementwise op, softmax or log_softmax. Throws for an unknown activation.
Op parse_activation(const Config& config, std::string_view key);

/// Returns the activation of x. The alpha of elu is 1.
Tensor activate(Op activation, const Tensor& x);

/// True if the activation is elementwise; false for the softmaxes, which run along the last axis.
bool is_elementwise(Op activation);

/// Returns the softmax of x along `axis`, which may be negative.
Tensor softmax_along(const Tensor& x, int axis);

}  // namespace tenure::keras
