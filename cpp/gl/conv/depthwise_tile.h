#pragma once

#include "core/attrs.h"
#include "core/run/op.h"
#include "shape_util/conv.h"

namespace tenure::gl {

/// True if run_depthwise_tiles() supports this convolution and is faster than one fragment per output texel.
bool can_use_depthwise_tiles(const ConvGeometry& g);

/// Computes depthwise_conv2d with vertices that each compute eight neighbours of a row, four channels each.
/// Inputs that their windows share are fetched once.
void run_depthwise_tiles(const KernelArgs& args, const ConvGeometry& g, const ConvAttrs& attrs);

}  // namespace tenure::gl
