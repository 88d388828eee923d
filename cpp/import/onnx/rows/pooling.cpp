#include "import/onnx/rows/pooling.h"

#include <limits>

#include "import/onnx/families.h"
#include "import/onnx/windows.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

Rounding read_rounding(const Call& call) {
  return call.attrs().flag("ceil_mode") ? Rounding::kCeil : Rounding::kFloor;
}

PoolAttrs pool_attrs(const Call& call, const WindowArgs& windows) {
  PoolAttrs attrs{.window_h = windows.rank() == 1 ? 1 : windows.kernel[0],
                  .window_w = windows.kernel[windows.rank() - 1]};
  set_windows(attrs, windows);
  attrs.rounding = read_rounding(call);
  return attrs;
}

Pool3DAttrs volume_attrs(const Call& call, const WindowArgs& windows) {
  for (const std::int32_t dilation : windows.dilations)
    check(dilation == 1, "dilations of three spatial dimensions are not supported");
  Pool3DAttrs attrs{.window_d = windows.kernel[0],
                    .window_h = windows.kernel[1],
                    .window_w = windows.kernel[2],
                    .stride_d = windows.strides[0],
                    .stride_h = windows.strides[1],
                    .stride_w = windows.strides[2]};
  if (call.attrs().flag("ceil_mode")) {
    attrs.padding = Padding::kExplicit;
    attrs.rounding = Rounding::kCeil;
  }
  return attrs;
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
  WindowArgs windows = read_windows(call, spatial_extents(x), read_kernel(call));
  const Tensor images = to_images(x);
  const bool has_positions = call.node().outputs > 1;
  if (windows.rank() == 3) {
    check(!has_positions, "positions of three spatial dimensions are not supported");
    constexpr float kLowest = -std::numeric_limits<float>::infinity();
    return {
        from_images(max_pool3d(pad_volume(images, windows, kLowest), volume_attrs(call, windows)), x.rank())};
  }
  if (!has_positions) {
    const Dims strides = call.attrs().flag("ceil_mode") ? Dims() : detach_strides(windows);
    return {from_images(take_strides(max_pool(images, pool_attrs(call, windows)), strides), x.rank())};
  }
  const PoolAttrs attrs = pool_attrs(call, windows);
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
                                                      .pad_right = attrs.pad_right,
                                                      .rounding = attrs.rounding});
  return {
      from_images(found[0], x.rank()),
      from_images(to_channels_first_positions(found[1], images.shape(), call.attrs().flag("storage_order")),
                  x.rank())};
}

Tensor average_pooled(const Call& call) {
  return average_windows(call, call[0], call.attrs().flag("count_include_pad"));
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

Tensor average_windows(const Call& call, const Tensor& x, bool counts_pads) {
  WindowArgs windows = read_windows(call, spatial_extents(x), read_kernel(call));
  Tensor images = to_images(x);
  if (windows.rank() == 3) {
    bool pads = false;
    for (int i = 0; i < 3; ++i) pads = pads || windows.before[i] + windows.after[i] != 0;
    check(counts_pads || !pads, "pads of three spatial dimensions are not supported unless they are counted");
    return from_images(avg_pool3d(pad_volume(images, windows, 0), volume_attrs(call, windows)), x.rank());
  }
  if (counts_pads) {
    PoolAttrs attrs = pool_attrs(call, windows);
    images = pad(images, {.before = {0, attrs.pad_top, attrs.pad_left, 0},
                          .after = {0, attrs.pad_bottom, attrs.pad_right, 0}});
    attrs.pad_top = attrs.pad_bottom = attrs.pad_left = attrs.pad_right = 0;
    return from_images(avg_pool(images, attrs), x.rank());
  }
  return from_images(avg_pool(images, pool_attrs(call, windows)), x.rank());
}

}  // namespace tenure::onnx
