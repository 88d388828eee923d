#pragma once

#include "cpu/quant/prepare.h"

namespace tenure::cpu {

/// Returns a kernel that multiplies bytes by int8, or null where it would not be exact or not be faster than
/// products of int16.
ByteKernel find_byte_kernel();

}  // namespace tenure::cpu
