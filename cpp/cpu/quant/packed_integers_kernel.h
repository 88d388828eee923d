#pragma once

#include <memory>

#include "core/run/backend.h"
#include "cpu/quant/integer_panels.h"

namespace tenure::cpu {

/// A kernel whose second input is a matrix of integers: given panels, or null for those of the input.
using IntegerKernel = void (*)(const KernelArgs&, const IntegerPanels*);

/// Computes conv2d_integer.
void convolve_integers(const KernelArgs& args, const IntegerPanels* prepared);
/// Computes conv2d_integer with a filter [h, w, 1, out]: a group for each input channel.
void convolve_integers_depthwise(const KernelArgs& args, const IntegerPanels* prepared);
/// Packs the filter of conv2d_integer. Returns null as prepare_integers() does.
std::unique_ptr<PreparedKernel> prepare_integer_filter(Inputs in, const IntegerConvAttrs& attrs,
                                                       const ByteKernels& bytes);
/// Packs the filter [h, w, 1, out] of conv2d_integer for a group for each input channel. Calls
/// `convolve_bytes` for bytes unless it is null. Returns null as prepare_integers() does.
std::unique_ptr<PreparedKernel> prepare_depthwise_integers(Inputs in, const IntegerConvAttrs& attrs,
                                                           ByteTapsKernel convolve_bytes);

/// Packs a constant matrix of `columns` columns, which may have more dimensions. Returns null if it has no
/// data or does not fit 8 bits.
std::unique_ptr<PreparedKernel> prepare_integers(IntegerKernel kernel, const Tensor& b, int columns,
                                                 int runs = 1, ByteKernel multiply_bytes = nullptr);

}  // namespace tenure::cpu
