#pragma once

#include "core/run/op.h"
#include "shape_util/conv.h"

namespace tenure::gl {

/// True if run_phases() supports this transposed convolution and is faster than one fragment per output.
bool can_use_phases(const KernelArgs& args, const ConvGeometry& g);

/// Computes conv2d_transpose as one tiled convolution. Output pixels that are a stride apart (a phase) use
/// the same taps, so each phase is an ordinary convolution of the input with those. All phases are computed
/// as one convolution, whose columns are the channels of every phase.
void run_phases(const KernelArgs& args, const ConvGeometry& g, Tensor* packed);

}  // namespace tenure::gl
