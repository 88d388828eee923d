#pragma once

#include "gl/shader/kernel.h"

namespace tenure::gl {

/// Sets a uniform of GLSL type T, an element of `dtype`, to a value converted as on the CPU: truncated
/// towards 0 and clamped to the range, NaN as 0.
inline void set_value(Pass& pass, const char* name, DType dtype, double value) {
  if (dtype == DType::kFloat32) {
    pass.set(name, static_cast<float>(value));
  } else if (dtype == DType::kBool) {
    pass.set(name, value != 0 ? 1 : 0);
  } else {
    pass.set(name, to_int32(value));
  }
}

}  // namespace tenure::gl
