#pragma once

#include "core/attrs.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

/// Declares V and `fn activate(x: V) -> V` for vec4f: the activation that an op applies to its result.
void add_activation(Dispatch& dispatch, Activation activation, float alpha);

}  // namespace tenure::webgpu
