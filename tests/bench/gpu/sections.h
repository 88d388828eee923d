#pragma once

#include <string>

#include "timing.h"

/// Each prints rows of its own kinds; README.md beside this file says what they mean.
namespace tenure::bench {

/// The renderer, its limits, what EGL lists, and how the device was measured at the start.
void report_device();
/// Copy and multiply-add bounds in shaders, transfers, and what a draw and a wait cost.
void report_bounds(const Effort& effort);
/// Single ops on the device, beside the CPU.
void report_ops(const Effort& effort);
/// Predictions and training steps of the models in a folder.
void report_models(const Effort& effort, const std::string& folder);
/// Where choices between kernels, and between the device and the CPU, pay.
void report_thresholds(const Effort& effort);

}  // namespace tenure::bench
