#pragma once

#include "core/run/backend.h"

namespace tenure::cpu {

/// Computes a step of an optimizer: the UpdateFn (core/run/backend.h) of the CPU backend.
void update(const UpdateAttrs& attrs, const Tensor& gradient, std::span<const Tensor> before,
            std::span<Tensor> after);

}  // namespace tenure::cpu
