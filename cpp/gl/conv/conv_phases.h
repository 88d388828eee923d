#pragma once

#include "core/run/op.h"
#include "shape_util/conv.h"

namespace tenure::gl {

/// Whether run_phases() can run the convolution backwards, and is faster than a fragment for each output.
bool suits_phases(const KernelArgs& args, const ConvGeometry& g);

/// conv2d_transpose as one product of tiles. Output pixels that are a stride apart meet the same taps, and
/// are an ordinary convolution of the input with these; all such phases together are one, whose columns are
/// the channels of each phase.
void run_phases(const KernelArgs& args, const ConvGeometry& g, Tensor* packed);

}  // namespace tenure::gl
