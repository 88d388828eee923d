#pragma once

#include <span>

#include "core/attrs.h"
#include "core/tensor.h"

namespace tenure {

/// Returns the number of slots that an optimizer keeps for each variable. Throws for an unknown optimizer.
std::size_t slot_count(Optimizer optimizer);

/// Updates a variable by its gradient. `state` holds the value, followed by the slots, and receives the new
/// ones. Tensors with at most `unshared` references are written in place; shared ones are replaced by new
/// tensors. Throws, and changes nothing, if a shape or dtype does not match.
void update(const UpdateAttrs& attrs, const Tensor& gradient, std::span<Tensor> state,
            std::uint32_t unshared);

}  // namespace tenure
