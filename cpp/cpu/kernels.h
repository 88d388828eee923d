#pragma once

#include "core/run/op.h"

namespace tenure {
struct Backend;
}

/// CPU kernels of the structural ops, one function each: cpu::conv2d is in cpu/conv/conv.cpp. The inputs are
/// already checked, and the output has at least one element.
namespace tenure::cpu {

#define STRUCTURAL(name, ...) void name(const KernelArgs& args);
#define OTHER_ROWS(...)
#include "lists/ops.def"

/// Returns the table of these kernels.
const Backend& kernels();

}  // namespace tenure::cpu
