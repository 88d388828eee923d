#pragma once

#include "core/run/backend.h"

namespace tenure::gl {

/// For mat_mul, conv2d and conv2d_transpose with a constant second input, a kernel that packs it once, and
/// anew only when the first input comes to lie another way; null for anything else.
std::unique_ptr<PreparedKernel> prepare(Op op, Inputs in, AttrsView attrs);

}  // namespace tenure::gl
