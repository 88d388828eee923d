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

/// Returns positions in images [..., channels] as positions in a whole [batch, channels, ...]. `images` is
/// the shape [batch, ..., channels]. `by_columns` numbers the pixels of an image with the first axis fastest.
Tensor to_channels_first_positions(const Tensor& positions, const Shape& images, bool by_columns) {
  const int last = images.rank - 1;
  const auto pixels = static_cast<std::int32_t>(images.elements(1, last));
  const std::int32_t channels = images[last];
  const Tensor channel = mod(positions, Tensor::scalar(channels));
  Tensor pixel = floor_div(positions, Tensor::scalar(channels));
  if (by_columns) {
    Tensor rest = pixel;
    pixel = Tensor::scalar(0);
    for (int i = last; i-- > 1;) {
      const auto stride = static_cast<std::int32_t>(images.elements(1, i));
      pixel = add(pixel, mul(mod(rest, Tensor::scalar(images[i])), Tensor::scalar(stride)));
      rest = floor_div(rest, Tensor::scalar(images[i]));
    }
  }
  Shape along{images[0]};
  while (along.rank < images.rank) along.push_back(1);
  const Tensor batch =
      reshape(range({.step = 0, .int_step = 1, .count = images[0], .dtype = DType::kInt32}), {along});
  return add(mul(add(mul(batch, Tensor::scalar(channels)), channel), Tensor::scalar(pixels)), pixel);
}

/// Returns the maxima of windows of one or two axes of images, and their positions in an image.
Tensors find_maxima(const Tensor& images, WindowArgs windows) {
  const Dims strides = detach_strides(windows);
  const PoolAttrs attrs = pool_attrs(windows);
  Tensors found = max_pool_with_argmax(images, {.window_h = attrs.window_h,
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
  for (Tensor& one : found) one = take_strides(one, strides);
  return found;
}

/// Returns the maxima of windows of volumes [N,D,H,W,C], and their positions in a volume. The slices of a
/// volume are pooled first, so that the first of equal maxima is found.
Tensors find_volume_maxima(const Tensor& volumes, const WindowArgs& windows) {
  const Shape& in = volumes.shape();
  const std::int32_t batch = in[0];
  // Extents of an empty tensor may have any product.
  Shape{in[1], in[2], in[3], in[4]}.validate();
  Shape{batch, in[1]}.validate();
  const Tensors flat =
      find_maxima(reshape(volumes, {Shape{batch * in[1], in[2], in[3], in[4]}}), select_axes(windows, 1, 2));
  const Shape pooled = flat[0].shape();
  Shape{in[1], pooled[1], pooled[2], in[4]}.validate();
  const auto size = static_cast<std::int32_t>(pooled.elements(1, 4));
  const Tensors deep =
      find_maxima(reshape(flat[0], {Shape{batch, 1, in[1], size}}), select_axes(windows, 0, 1));
  const Shape shape{batch, deep[0].dim(2), pooled[1], pooled[2], in[4]};
  const auto count = static_cast<std::int32_t>(shape.elements(1, 5));
  // A window in the padding has no maximum.
  const Tensor found = maximum(reshape(deep[1], {Shape{batch, count}}), Tensor::scalar(0));
  const Tensor in_slice =
      gather(reshape(flat[1], {Shape{batch, in[1] * size}}), found, {.axis = 1, .batch_dims = 1});
  const Tensor slice = floor_div(found, Tensor::scalar(size));
  const Tensor slice_size = Tensor::scalar(static_cast<std::int32_t>(in.elements(2, 5)));
  return {reshape(deep[0], {shape}), reshape(add(mul(slice, slice_size), in_slice), {shape})};
}

EdgeValues max_pooled(const Call& call) {
  const Tensor& x = call[0];
  const WindowArgs windows = read_pool(call);
  if (call.node().outputs < 2) return {from_images(pool(Op::max_pool, to_images(x), windows), x.rank())};
  const Tensor images = to_images(x);
  const Tensors found =
      windows.rank() == 3 ? find_volume_maxima(images, windows) : find_maxima(images, windows);
  const Tensor positions =
      to_channels_first_positions(found[1], images.shape(), call.attrs().flag("storage_order"));
  return {from_images(found[0], x.rank()), from_images(positions, x.rank())};
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

WindowArgs read_pool(const Call& call) {
  const Dims extents = spatial_extents(call[0]);
  WindowArgs windows = read_windows(call, extents, read_kernel(call));
  if (call.attrs().flag("ceil_mode")) round_up(windows, extents);
  return windows;
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
