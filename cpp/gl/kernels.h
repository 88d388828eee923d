#pragma once

#include "core/run/op.h"

/// GL kernels of the structural ops in lists/gl_kernels.def, such as gl::conv2d in gl/conv/conv.cpp. Inputs
/// are already checked. The output has at least one element and no memory yet.
namespace tenure::gl {

#define KERNEL(name) void name(const KernelArgs& args);
#define GPU_KERNEL KERNEL
#include "lists/gl_kernels.def"
#undef GPU_KERNEL
#undef KERNEL

}  // namespace tenure::gl
