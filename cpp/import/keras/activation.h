#pragma once

#include <string_view>

#include "core/run/op.h"
#include "import/keras/config.h"

namespace tenure::keras {

/// The op of the activation under `key`, a name or an object {class_name}: identity for a linear one, an
/// elementwise op, or one of the softmaxes. Throws for one that is not known.
Op parse_activation(const Config& config, std::string_view key);

/// What the op makes of x; an elu's alpha is 1.
Tensor activate(Op activation, const Tensor& x);

/// Whether it treats each element alone, wherever that lies; the softmaxes run along the last axis.
bool is_elementwise(Op activation);

/// Softmax along any axis.
Tensor softmax_along(const Tensor& x, int axis);

}  // namespace tenure::keras
