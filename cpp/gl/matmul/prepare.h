#pragma once

#include "core/run/backend.h"

namespace tenure::gl {

/// Returns a kernel for mat_mul, conv2d and conv2d_transpose with a constant second input, or null for any
/// other op. The kernel packs that input once, and again only when the first input's layout changes.
std::unique_ptr<PreparedKernel> prepare(Op op, Inputs in, AttrsView attrs);

}  // namespace tenure::gl
