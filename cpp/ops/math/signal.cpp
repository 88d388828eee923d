#include <cmath>
#include <numbers>

#include "core/error.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::composed {

Tensor frame(const Tensor& signal, const FrameAttrs& attrs) {
  check(attrs.length >= 0, "expected a frameLength of 0 or more, got ", attrs.length);
  const auto size = static_cast<std::int64_t>(signal.elements());
  const std::int64_t last = (attrs.pad_end != 0 ? size - 1 : size - attrs.length);
  check(last < 0 || attrs.step >= 1, "expected a frameStep of 1 or more, got ", attrs.step);
  const std::int64_t frames = last < 0 ? 0 : last / attrs.step + 1;
  const std::int64_t needed = frames == 0 ? 0 : (frames - 1) * attrs.step + attrs.length;
  Shape({static_cast<std::int32_t>(frames), attrs.length}).validate();
  check_shape(needed <= std::int64_t{1} << 30, "frames of ", attrs.length, " are too long");
  const Tensor flat = reshape(signal, {{-1}});
  const Tensor padded = needed > size ? pad(flat, {.before = {0},
                                                   .after = {static_cast<std::int32_t>(needed - size)},
                                                   .value = attrs.pad_value})
                                      : flat;
  const auto count = static_cast<std::int32_t>(frames);
  const Tensor starts = mul(range({.count = count, .dtype = DType::kInt32}), Tensor::scalar(attrs.step));
  const Tensor indices =
      add(reshape(starts, {{count, 1}}), range({.count = attrs.length, .dtype = DType::kInt32}));
  return gather(padded, indices);
}

/// Returns a - b cos(2 pi i / n). For an even length n is the length and the window is periodic; for an odd
/// one n is the length - 1 and the window is symmetric.
Tensor cosine_window(const CosineWindowAttrs& attrs) {
  check(attrs.length >= 0, "expected a windowLength of 0 or more, got ", attrs.length);
  if (attrs.length == 1) return fill({.shape = {1}, .value = 1});
  const std::int32_t period = attrs.length % 2 == 0 ? attrs.length : attrs.length - 1;
  const float step = 2 * std::numbers::pi_v<float> / static_cast<float>(period);
  const Tensor angles = mul(range({.count = attrs.length}), Tensor::scalar(step));
  return sub(Tensor::scalar(attrs.a), mul(Tensor::scalar(attrs.b), cos(angles)));
}

}  // namespace tenure::composed
