#pragma once

#include "gl/shader/kernel.h"

namespace tenure::gl {

/// Sets a uniform of type T, a shader's element of `dtype`, as the CPU stores numbers: cut off towards 0 and
/// at the ends of the range, NaN as 0.
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
