#pragma once

#include "import/tflite/row.h"
#include "ops/ops.h"

namespace tenure::tflite {

/// Returns `pad(x, value)` for input 0 and the number of input `i`. float32 may not hold an int32 value: it
/// is subtracted, the differences are padded with 0, and it is added again.
template <typename Pad>
Tensor pad_with(const Call& call, int i, Pad pad) {
  if (call[0].dtype() != DType::kInt32) return pad(call[0], call.number(i));
  const Tensor value = reshape(call[i], {Shape{}});
  return add(pad(sub(call[0], value), 0.0F), value);
}

}  // namespace tenure::tflite
