#include "import/onnx/rows/pooling.h"

#include <algorithm>

#include "import/onnx/families.h"
#include "import/onnx/windows.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Returns the windows along the axes [first, first + count).
WindowArgs select_axes(const WindowArgs& windows, int first, int count) {
  const auto select = [&](const Dims& all) {
    return Dims(std::span<const std::int32_t>(all.begin() + first, static_cast<std::size_t>(count)));
  };
  return {select(windows.kernel), select(windows.strides), select(windows.dilations), select(windows.before),
          select(windows.after)};
}

/// Extends the end padding for ceil_mode; no window starts past the image.
void round_up(WindowArgs& windows, const Dims& extents) {
  for (int i = 0; i < windows.rank(); ++i) {
    const std::int64_t stride = windows.strides[i];
    const std::int64_t reach = std::int64_t{windows.kernel[i] - 1} * windows.dilations[i] + 1;
    const std::int64_t size = std::int64_t{extents[i]} + windows.before[i];
    const std::int64_t room = size + windows.after[i] - reach;
    if (room <= -stride) continue;
    std::int64_t last = (room + stride - 1) / stride;
    if (last * stride >= size) --last;
    windows.after[i] =
        static_cast<std::int32_t>(std::clamp<std::int64_t>(last * stride + reach - size, 0, INT32_MAX));
  }
}

PoolAttrs pool_attrs(const WindowArgs& windows) {
  PoolAttrs attrs{.window_h = windows.rank() == 1 ? 1 : windows.kernel[0],
                  .window_w = windows.kernel[windows.rank() - 1]};
  set_windows(attrs, windows);
  return attrs;
}

/// Pools [N,...,C]. Of three spatial axes, the first is pooled before the others: all windows of an image
/// have as many pixels along an axis, so that the mean of means is that of all pixels.
Tensor pool(Op op, const Tensor& x, WindowArgs windows) {
  if (windows.rank() == 3) {
    const std::int32_t batch = x.dim(0);
    const Shape image{x.dim(2), x.dim(3), x.dim(4)};
    // Extents of an empty tensor may have any product.
    image.validate();
    const Tensor slices =
        reshape(x, {Shape{batch, 1, x.dim(1), static_cast<std::int32_t>(image.elements())}});
    const Tensor pooled = pool(op, slices, select_axes(windows, 0, 1));
    const std::int32_t depth = pooled.dim(2);
    Shape{batch, depth}.validate();
    const Tensor y = pool(op, reshape(pooled, {Shape{batch * depth, image[0], image[1], image[2]}}),
                          select_axes(windows, 1, 2));
    return reshape(y, {Shape{batch, depth, y.dim(1), y.dim(2), image[2]}});
  }
  const Dims strides = detach_strides(windows);
  return take_strides(run(op, {&x}, AttrsView(pool_attrs(windows))), strides);
}

WindowArgs read_pool(const Call& call) {
  const Dims extents = spatial_extents(call[0]);
  WindowArgs windows = read_windows(call, extents, read_kernel(call));
  if (call.attrs().flag("ceil_mode")) round_up(windows, extents);
  return windows;
}

/// Returns positions in [height, width, channels] as positions in a whole [batch, channels, height, width].
/// `by_columns` numbers the pixels of an image column by column.
Tensor to_channels_first_positions(const Tensor& positions, const Shape& images, bool by_columns) {
  const std::int32_t pixels = images[1] * images[2];
  const std::int32_t channels = images[3];
  const Tensor channel = mod(positions, Tensor::scalar(channels));
  Tensor pixel = floor_div(positions, Tensor::scalar(channels));
  if (by_columns) {
    const Tensor width = Tensor::scalar(images[2]);
    pixel = add(mul(mod(pixel, width), Tensor::scalar(images[1])), floor_div(pixel, width));
  }
  const Tensor batch = reshape(range({.step = 0, .int_step = 1, .count = images[0], .dtype = DType::kInt32}),
                               {Shape{images[0], 1, 1, 1}});
  return add(mul(add(mul(batch, Tensor::scalar(channels)), channel), Tensor::scalar(pixels)), pixel);
}

EdgeValues max_pooled(const Call& call) {
  const Tensor& x = call[0];
  WindowArgs windows = read_pool(call);
  const Tensor images = to_images(x);
  if (call.node().outputs < 2) return {from_images(pool(Op::max_pool, images, windows), x.rank())};
  check(windows.rank() < 3, "positions of three spatial dimensions are not supported");
  const Dims strides = detach_strides(windows);
  const PoolAttrs attrs = pool_attrs(windows);
  const Tensors found = max_pool_with_argmax(images, {.window_h = attrs.window_h,
                                                      .window_w = attrs.window_w,
                                                      .stride_h = attrs.stride_h,
                                                      .stride_w = attrs.stride_w,
                                                      .dilation_h = attrs.dilation_h,
                                                      .dilation_w = attrs.dilation_w,
                                                      .padding = attrs.padding,
                                                      .pad_top = attrs.pad_top,
                                                      .pad_bottom = attrs.pad_bottom,
                                                      .pad_left = attrs.pad_left,
                                                      .pad_right = attrs.pad_right});
  const Tensor positions = to_channels_first_positions(take_strides(found[1], strides), images.shape(),
                                                       call.attrs().flag("storage_order"));
  return {from_images(take_strides(found[0], strides), x.rank()), from_images(positions, x.rank())};
}

Tensor average_pooled(const Call& call) {
  return average_windows(call, call[0],
                         call.attrs().flag("count_include_pad") ? CountedPads::kGiven : CountedPads::kNone);
}

/// Reduces all spatial axes.
template <Op op>
Tensor global(const Call& call) {
  const Tensor& x = call[0];
  ReduceAttrs attrs{.keep_dims = true};
  for (int i = 2; i < x.rank(); ++i) attrs.axes.push_back(i);
  return attrs.axes.empty() ? x : run(op, {&x}, AttrsView(attrs));
}

constexpr Row kRows[] = {
    {"AveragePool", average_pooled},
    {"GlobalAveragePool", global<Op::mean>},
    {"GlobalMaxPool", global<Op::max>},
    {"MaxPool", max_pooled},
};

}  // namespace

std::span<const Row> pooling_rows() { return kRows; }

Dims read_kernel(const Call& call) {
  const std::vector<std::int32_t> kernel = call.attrs().integers("kernel_shape");
  return Dims(std::span<const std::int32_t>(kernel));
}

Tensor average_windows(const Call& call, const Tensor& x, CountedPads counted) {
  WindowArgs windows = read_pool(call);
  Tensor images = to_images(x);
  if (counted != CountedPads::kNone) {
    WindowArgs pads = windows;
    if (counted == CountedPads::kGiven) {
      const WindowArgs given = read_windows(call, spatial_extents(x), windows.kernel);
      for (int i = 0; i < pads.rank(); ++i) pads.after[i] = std::min(windows.after[i], given.after[i]);
    }
    images = pad_images(images, pads);
    for (int i = 0; i < pads.rank(); ++i) {
      windows.before[i] = 0;
      windows.after[i] -= pads.after[i];
    }
  }
  return from_images(pool(Op::avg_pool, images, windows), x.rank());
}

}  // namespace tenure::onnx
