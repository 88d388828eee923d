#pragma once

#include "core/op.h"

/// GL kernels of the structural ops in gl/kernels.def: gl::conv2d in gl/conv.cpp. Inputs are checked; the
/// output has at least one element, and no place yet.
namespace tenure::gl {

#define KERNEL(name) void name(const KernelArgs& args);
#define GPU_KERNEL KERNEL
#include "gl/kernels.def"
#undef GPU_KERNEL
#undef KERNEL

}  // namespace tenure::gl
