// MediaPipe's MaxPoolingWithArgmax2D and MaxUnpooling2D. Positions are numbers within the windows, as
// float32.

#include <algorithm>

#include "import/tflite/families.h"
#include "import/tflite/rare/custom_options.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

/// Windows and the pads before their first pixels.
struct PoolWindows {
  PoolAttrs pool;
  std::int32_t top = 0;
  std::int32_t left = 0;
};

/// Reads the options: padding (1 is SAME), strides, and extents of the windows, widths first.
PoolWindows read_windows(const Call& call, std::int32_t height, std::int32_t width) {
  const auto positive = [&](std::size_t i) {
    const std::int32_t number = read_option_integer(call, i);
    check(number > 0 && number <= kMaxExtent, "number ", i, " of its options is ", number);
    return number;
  };
  const std::int32_t padding = read_option_integer(call, 0);
  check(padding == 1 || padding == 2, "its padding is number ", padding, "; 1 is SAME and 2 is VALID");
  PoolWindows windows{.pool = {.window_h = positive(4),
                               .window_w = positive(3),
                               .stride_h = positive(2),
                               .stride_w = positive(1),
                               .padding = padding == 1 ? Padding::kSame : Padding::kValid}};
  const auto before = [&](std::int32_t extent, std::int32_t window, std::int32_t stride) {
    const std::int32_t out = (extent + stride - 1) / stride;
    return padding == 1 ? std::max((out - 1) * stride + window - extent, 0) / 2 : 0;
  };
  windows.top = before(height, windows.pool.window_h, windows.pool.stride_h);
  windows.left = before(width, windows.pool.window_w, windows.pool.stride_w);
  return windows;
}

Tensor count_along(int axis, std::int32_t count, std::int32_t stride, std::int32_t start) {
  Shape shape{1, 1, 1, 1};
  shape[axis] = count;
  return reshape(range({.start = 0,
                        .step = 0,
                        .int_start = start,
                        .int_step = stride,
                        .count = count,
                        .dtype = DType::kInt32}),
                 {shape});
}

EdgeValues pooled(const Call& call) {
  const Tensor& x = call[0];
  check_shape(x.rank() == 4, "expected images of rank 4, got ", x.shape());
  const PoolWindows windows = read_windows(call, x.dim(1), x.dim(2));
  const PoolAttrs& pool = windows.pool;
  const Tensors found = max_pool_with_argmax(x, {.window_h = pool.window_h,
                                                 .window_w = pool.window_w,
                                                 .stride_h = pool.stride_h,
                                                 .stride_w = pool.stride_w,
                                                 .padding = pool.padding});
  // The kernel's positions are those in [height, width, channels].
  const Tensor& values = found[0];
  const Tensor pixel = floor_div(found[1], Tensor::scalar(x.dim(3)));
  const Tensor row = sub(floor_div(pixel, Tensor::scalar(x.dim(2))),
                         count_along(1, values.dim(1), pool.stride_h, -windows.top));
  const Tensor column =
      sub(mod(pixel, Tensor::scalar(x.dim(2))), count_along(2, values.dim(2), pool.stride_w, -windows.left));
  const Tensor position = add(mul(row, Tensor::scalar(pool.window_w)), column);
  // A little more than the number, which readers cut off.
  return {values, add(cast(position, {DType::kFloat32}), Tensor::scalar(0.1F))};
}

/// Writes each value where its window has its position, and 0 elsewhere.
Tensor unpooled(const Call& call) {
  const Tensor& x = call[0];
  check_shape(x.rank() == 4 && call[1].shape() == x.shape(), "positions of ", call[1].shape(), " do not fit ",
              x.shape());
  const PoolWindows given = read_windows(call, 1, 1);
  const std::int64_t height = std::int64_t{x.dim(1)} * given.pool.window_h;
  const std::int64_t width = std::int64_t{x.dim(2)} * given.pool.window_w;
  check_shape(height * width < INT32_MAX, "the output would have ", height, " rows of ", width);
  const PoolWindows windows =
      read_windows(call, static_cast<std::int32_t>(height), static_cast<std::int32_t>(width));
  const PoolAttrs& pool = windows.pool;
  const Tensor position = cast(call[1], {DType::kInt32});
  const Tensor window_w = Tensor::scalar(pool.window_w);
  const Tensor row =
      add(floor_div(position, window_w), count_along(1, x.dim(1), pool.stride_h, -windows.top));
  const Tensor column = add(mod(position, window_w), count_along(2, x.dim(2), pool.stride_w, -windows.left));
  const Tensor batch = count_along(0, x.dim(0), 1, 0);
  const Tensor channel = count_along(3, x.dim(3), 1, 0);
  const auto clamp = [](const Tensor& at, std::int64_t extent) {
    return minimum(maximum(at, Tensor::scalar(0)), Tensor::scalar(static_cast<std::int32_t>(extent) - 1));
  };
  const auto wide = [&](const Tensor& at) { return reshape(broadcast_to(at, {x.shape()}), {Shape{-1, 1}}); };
  const Tensor indices =
      concat({wide(batch), wide(clamp(row, height)), wide(clamp(column, width)), wide(channel)}, {1});
  return scatter_nd(
      indices, reshape(x, {Shape{-1}}),
      {Shape{x.dim(0), static_cast<std::int32_t>(height), static_cast<std::int32_t>(width), x.dim(3)}});
}

constexpr OpRow kRows[] = {
    {kCustom, {"MaxPoolingWithArgmax2D", pooled}},
    {kCustom, {"MaxUnpooling2D", unpooled}},
};

}  // namespace

std::span<const OpRow> unpooling_rows() { return kRows; }

}  // namespace tenure::tflite
