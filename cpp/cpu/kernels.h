#pragma once

#include "core/op.h"

/// CPU kernels of the structural ops, one function each: cpu::conv2d in cpu/conv.cpp. Inputs are checked, the
/// output has at least one element.
namespace tenure::cpu {

#define STRUCTURAL(name, ...) void name(const KernelArgs& args);
#include "ops/ops.def"

}  // namespace tenure::cpu
