#pragma once

#include "core/run/backend.h"

namespace tenure::cpu {

/// UpdateFn of core/run/backend.h.
void update(const UpdateAttrs& attrs, const Tensor& gradient, std::span<const Tensor> before,
            std::span<Tensor> after);

}  // namespace tenure::cpu
