#pragma once

#include <span>

#include "core/attrs.h"
#include "core/tensor.h"

namespace tenure {

/// How many slots an optimizer has for each variable.
std::size_t slot_count(Optimizer optimizer);

/// Moves a variable against its gradient: `state` is its value, followed by its slots, and becomes what they
/// are next. Bytes with no more than `unshared` references are written in place, those that somebody else
/// sees never. Throws, and leaves all as it was, when a shape or type does not fit.
void update(const UpdateAttrs& attrs, const Tensor& gradient, std::span<Tensor> state,
            std::uint32_t unshared);

}  // namespace tenure
