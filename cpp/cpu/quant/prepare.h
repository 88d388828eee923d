#pragma once

#include <memory>

#include "core/run/backend.h"

/// Kernels whose constant second input, integers of 8 bits, is packed once and used by many runs. Null if it
/// is not constant or does not fit 8 bits.
namespace tenure::cpu {

std::unique_ptr<PreparedKernel> prepare_integer_conv(const Tensor& filter);
/// `op` is mat_mul_integer or dynamic_quantize_mat_mul.
std::unique_ptr<PreparedKernel> prepare_integer_product(Op op, const Tensor& b);

}  // namespace tenure::cpu
