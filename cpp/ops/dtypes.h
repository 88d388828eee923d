#pragma once

#include "core/dtype.h"
#include "core/error.h"

namespace tenure::infer {

/// Throws unless `dtype`, of an input or from outside, is one that kernels work on: float32, int32 or bool.
inline void check_kernel_dtype(DType dtype) {
  const auto number = static_cast<std::int32_t>(dtype);
  if (number >= 0 && number <= static_cast<std::int32_t>(DType::kBool)) return;
  check(number >= 0 && number <= static_cast<std::int32_t>(DType::kComplex64), "unknown dtype ", number);
  fail("has no kernel for ", name_of(dtype));
}

}  // namespace tenure::infer
