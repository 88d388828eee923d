#pragma once

#include "core/dtype.h"
#include "core/error.h"
#include "core/run/op.h"

namespace tenure::infer {

/// Throws unless `dtype`, which is untrusted, is one of the `accepted` types, by default float32, int32 and
/// bool.
inline void check_kernel_dtype(DType dtype, std::uint8_t accepted = types::kNumericOrBool) {
  const auto number = static_cast<std::int32_t>(dtype);
  if (number >= 0 && number < 8 && (accepted >> number & 1) != 0) return;
  check(number >= 0 && number <= static_cast<std::int32_t>(DType::kComplex64), "unknown dtype ", number);
  fail("has no kernel for ", get_name(dtype));
}

}  // namespace tenure::infer
