#pragma once

#include <string>

#include "timing.h"

/// Functions that each print rows of their own kinds; README.md beside this file documents them.
namespace tenure::bench {

/// Reports the renderer, its limits, EGL's devices, and the device's measurements at the start.
void report_device();
/// Reports WebGPU's adapter and its limits.
void report_webgpu_device();
/// Reports copy and multiply-add bounds in shaders, transfer rates, and the cost of a draw and a wait.
void report_bounds(const Effort& effort, DeviceKind kind);
/// Reports single ops on the device and on the CPU.
void report_ops(const Effort& effort);
/// Reports predictions and training steps of the models in a folder.
void report_models(const Effort& effort, DeviceKind kind, const std::string& folder);
/// Reports where choices between kernels, and between the device and the CPU, are profitable.
void report_thresholds(const Effort& effort);

}  // namespace tenure::bench
