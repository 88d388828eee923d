#pragma once

#include "core/run/op.h"

/// WebGPU kernels of the structural ops in lists/webgpu_kernels.def, such as webgpu::conv2d in
/// webgpu/conv/conv.cpp. Inputs are already checked. The output has at least one element and no memory yet.
namespace tenure::webgpu {

#define KERNEL(name) void name(const KernelArgs& args);
#include "lists/webgpu_kernels.def"
#undef KERNEL

}  // namespace tenure::webgpu
