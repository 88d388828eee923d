#include "shape_util/window.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace tenure {
namespace {

std::int64_t divide(std::int64_t numerator, std::int64_t stride, Rounding rounding) {
  switch (rounding) {
    case Rounding::kFloor: break;
    case Rounding::kRound: return (numerator + stride / 2) / stride;
    case Rounding::kCeil: return (numerator + stride - 1) / stride;
  }
  return numerator / stride;
}

std::int32_t narrow(std::int64_t value) {
  check_shape(value <= std::numeric_limits<std::int32_t>::max(),
              "a window's reach over its input must stay below 2^31, got ", value);
  return static_cast<std::int32_t>(value);
}

}  // namespace

WindowAxis window_axis(std::int32_t in, std::int32_t window, std::int32_t stride, std::int32_t dilation,
                       Padding padding, std::int32_t before, std::int32_t after, Rounding rounding) {
  check_shape(in >= 0 && window >= 1, "a window must have a size of at least 1, got ", window, " over ", in);
  check(stride >= 1, "strides must be positive, got ", stride);
  check(dilation >= 1, "dilations must be positive, got ", dilation);
  const std::int64_t reach = std::int64_t{window - 1} * dilation + 1;
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t out = 0;
  if (padding == Padding::kSame) {
    out = (std::int64_t{in} + stride - 1) / stride;
    const std::int64_t total = out == 0 ? 0 : std::max<std::int64_t>(0, (out - 1) * stride + reach - in);
    first = total / 2;
    last = total - first;
  } else {
    if (padding == Padding::kExplicit) {
      check(before >= 0 && after >= 0, "pads must not be negative, got ", before, " and ", after);
      first = before;
      last = after;
    }
    const std::int64_t room = in + first + last - reach;
    check_shape(room + stride >= 0, "a window of size ", window, " with dilation ", dilation,
                " does not fit an input of size ", in, " with pads ", first, " and ", last);
    out = divide(room + stride, stride, padding == Padding::kExplicit ? rounding : Rounding::kFloor);
  }
  // Checks every position that a window reaches, so that loops over windows need no 64-bit integers.
  narrow(in + first + last + out * stride + reach);
  return {in, window, stride, window == 1 ? 1 : dilation, narrow(out), narrow(first), narrow(last)};
}

void check_stride_or_dilation(const char* name, std::int32_t stride_h, std::int32_t stride_w,
                              std::int32_t dilation_h, std::int32_t dilation_w) {
  check((stride_h == 1 && stride_w == 1) || (dilation_h == 1 && dilation_w == 1), "Error in ", name,
        ": Either strides or dilations must be 1. Got strides ", stride_h, ",", stride_w, " and dilations '",
        dilation_h, ",", dilation_w, "'");
}

}  // namespace tenure
