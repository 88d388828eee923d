#pragma once

#include "core/attrs.h"
#include "core/run/op.h"
#include "shape_util/conv.h"

namespace tenure::gl {

/// Whether run_strips() can convolve so, and is faster than a fragment for each output texel.
bool suits_strips(const ConvGeometry& g);

/// depthwise_conv2d by vertices that each compute eight neighbours of a row, four channels of them: what
/// their windows share is fetched once.
void run_strips(const KernelArgs& args, const ConvGeometry& g, const ConvAttrs& attrs);

}  // namespace tenure::gl
