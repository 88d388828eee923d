#pragma once

#include <memory>

#include "core/run/backend.h"

namespace tenure {

/// Packs the constant second input, integers of 8 bits, of mat_mul_integer, dynamic_quantize_mat_mul or
/// conv2d_integer. Returns null if it is not constant or does not fit 8 bits. Not in the namespace of
/// kernels, which may be compiled twice: those of integers are compiled once.
std::unique_ptr<PreparedKernel> prepare_integer_kernel(Op op, const Tensor& weights);

}  // namespace tenure
