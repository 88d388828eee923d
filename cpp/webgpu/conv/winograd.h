#pragma once

#include "webgpu/matmul/matmul_conv.h"

namespace tenure::webgpu {

/// True if run_winograd() computes the convolution, and in less time than run_matmul_conv().
bool can_use_winograd(const MatmulConv& conv);

/// Computes a 3x3 convolution by Winograd's F(2x2, 3x3): tiles of 4x4 pixels and the filter are transformed,
/// so that 16 matrix products, with 4 multiplications for each output and channel instead of 9, give
/// transformed tiles of 2x2 outputs.
void run_winograd(const MatmulConv& conv);

}  // namespace tenure::webgpu
