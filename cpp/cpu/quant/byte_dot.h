#pragma once

#include "cpu/quant/prepare.h"

namespace tenure::cpu {

/// Returns kernels that multiply bytes by int8, or null ones where they would not be exact or not be faster
/// than products of int16.
ByteKernels find_byte_kernels();

/// A kernel of ByteKernels, to be called only if find_byte_kernels() returns it.
void convolve_depthwise_bytes(const ByteTaps& taps, const ByteEpilogue& epilogue, std::byte* out,
                              std::size_t stride);

}  // namespace tenure::cpu
