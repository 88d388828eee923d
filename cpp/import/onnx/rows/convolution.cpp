#include <algorithm>

#include "import/onnx/families.h"
#include "import/onnx/windows.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Convolves images, in the kernels' layout, with weights of one group.
Tensor convolve(const Tensor& x, const Tensor& weights, const Tensor& bias, const WindowArgs& windows) {
  if (windows.rank() == 3) {
    const Tensor y = conv3d(pad_images(x, windows), to_filter(weights),
                            {.stride_d = windows.strides[0],
                             .stride_h = windows.strides[1],
                             .stride_w = windows.strides[2],
                             .dilation_d = windows.dilations[0],
                             .dilation_h = windows.dilations[1],
                             .dilation_w = windows.dilations[2]});
    return bias ? add(y, bias) : y;
  }
  ConvAttrs attrs;
  set_windows(attrs, windows);
  return conv2d(x, to_filter(weights), bias, attrs);
}

std::int32_t read_groups(const Call& call, std::int32_t channels, std::int32_t filters) {
  const std::int32_t groups = call.attrs().integer("group", 1);
  check_shape(
      groups > 0 && groups <= std::max(channels, 1) && channels % groups == 0 && filters % groups == 0,
      "attribute \"group\" is ", groups, " for ", channels, " channels and weights of ", filters);
  return groups;
}

Tensor conv(const Call& call) {
  const Tensor& x = call[0];
  const Tensor& weights = call[1];
  const Tensor bias = optional(call, 2);
  const Dims extents = spatial_extents(x);
  check_shape(weights.rank() == x.rank(), "expected weights of rank ", x.rank(), ", got ", weights.shape());
  WindowArgs windows = read_windows(call, extents, get_kernel_shape(weights));
  const Dims strides = detach_strides(windows);
  const std::int32_t groups = read_groups(call, x.dim(1), weights.dim(0));
  check_shape(weights.dim(1) * groups == x.dim(1), "weights of ", weights.shape(), " in ", groups,
              " groups do not fit an input of ", x.shape());
  const Tensor images = to_images(x);
  Tensor result;
  if (groups == 1) {
    result = convolve(images, weights, bias, windows);
  } else if (weights.dim(1) == 1 && windows.rank() < 3) {
    ConvAttrs attrs;
    set_windows(attrs, windows);
    result = depthwise_conv2d(images, to_depthwise_filter(weights, groups), bias, attrs);
  } else {
    const Tensors parts = split_groups(images, groups, images.rank() - 1);
    const Tensors filters = split_groups(weights, groups, 0);
    Tensors results;
    for (std::size_t i = 0; i < parts.size(); ++i)
      results.push_back(convolve(parts[i], filters[i], Tensor(), windows));
    result = concat(results, {images.rank() - 1});
    if (bias) result = add(result, bias);
  }
  return from_images(take_strides(result, strides), x.rank());
}

/// Returns the weights [in, out, ...] of dilated windows with zeros between them, for windows whose dilations
/// are 1, as `windows` has afterwards.
Tensor dilate_weights(Tensor weights, WindowArgs& windows) {
  for (int i = 0; i < windows.rank(); ++i) {
    std::int32_t& dilation = windows.dilations[i];
    const std::int64_t extent = std::int64_t{windows.kernel[i] - 1} * dilation + 1;
    check_shape(extent + dilation <= INT32_MAX, "it has dilations of ", windows.dilations);
    if (dilation == 1) continue;
    const int axis = i + 2;
    Dims begin;
    Dims size = weights.shape();
    PadAttrs pads;
    for (int k = 0; k <= weights.rank(); ++k) {
      if (k > 0) begin.push_back(0);
      pads.before.push_back(0);
      pads.after.push_back(k == axis + 1 ? dilation - 1 : 0);
    }
    size[axis] = windows.kernel[i] * dilation;
    weights = reshape(pad(expand_dims(weights, {axis + 1}), pads), {Shape(size)});
    windows.kernel[i] = size[axis] = static_cast<std::int32_t>(extent);
    weights = slice(weights, {begin, size});
    dilation = 1;
  }
  return weights;
}

/// Transposes a convolution of [N,C,D,H,W] to images of the spatial extents `out`: all that the windows
/// reach, without the pads, and with zeros for the extra padding of the output.
Tensor transpose_volumes(const Tensor& x, const Tensor& weights, const WindowArgs& windows, const Dims& out,
                         std::int32_t groups) {
  const std::int32_t filters = weights.dim(1);
  Conv3DTransposeAttrs attrs{.output_shape = {x.dim(0)},
                             .stride_d = windows.strides[0],
                             .stride_h = windows.strides[1],
                             .stride_w = windows.strides[2]};
  PadAttrs pads{.before = {0, 0}, .after = {0, 0}};
  Dims begin{0, 0};
  Dims size{x.dim(0), filters * groups};
  for (int i = 0; i < 3; ++i) {
    const std::int64_t reach = std::int64_t{windows.strides[i]} * (x.dim(i + 2) - 1) + windows.kernel[i];
    check_shape(reach <= INT32_MAX, "its windows reach ", reach, " elements");
    const auto whole = static_cast<std::int32_t>(reach);
    attrs.output_shape.push_back(whole);
    pads.before.push_back(0);
    const std::int64_t more = std::int64_t{windows.before[i]} + out[i] - whole;
    check_shape(reach + more <= INT32_MAX, "an output of ", out[i], " behind ", windows.before[i],
                " pads is too large");
    pads.after.push_back(static_cast<std::int32_t>(std::max<std::int64_t>(0, more)));
    begin.push_back(windows.before[i]);
    size.push_back(out[i]);
  }
  attrs.output_shape.push_back(filters);
  const Tensors parts = split_groups(to_images(x), groups, 4);
  const Tensors kernels = split_groups(weights, groups, 0);
  Tensors results;
  for (std::size_t i = 0; i < parts.size(); ++i)
    results.push_back(conv3d_transpose(parts[i], to_filter(kernels[i]), attrs));
  const Tensor joined = from_images(results.size() == 1 ? results[0] : concat(results, {4}), 5);
  return slice(pad(joined, pads), {begin, size});
}

/// Convolves [batch, height, width, channels] transposed, each group of channels by its own filters.
Tensor transpose_images(const Tensor& images, const Tensor& weights, const ConvTransposeAttrs& attrs,
                        std::int32_t groups) {
  if (groups == 1) return conv2d_transpose(images, to_filter(weights), attrs);
  const Tensors parts = split_groups(images, groups, 3);
  const Tensors filters = split_groups(weights, groups, 0);
  Tensors results;
  for (std::size_t i = 0; i < parts.size(); ++i)
    results.push_back(conv2d_transpose(parts[i], to_filter(filters[i]), attrs));
  return concat(results, {3});
}

Tensor conv_transpose(const Call& call) {
  const Tensor& x = call[0];
  const Tensor& weights = call[1];
  Dims extents = spatial_extents(x);
  const int rank = extents.rank;
  check_shape(weights.rank() == x.rank() && weights.dim(0) == x.dim(1), "weights of ", weights.shape(),
              " do not fit an input of ", x.shape());
  const std::int32_t groups = read_groups(call, x.dim(1), weights.dim(0));
  const Dims extra = read_spatial(call, "output_padding", rank, 0);
  const std::vector<std::int32_t> wanted = call.attrs().integers("output_shape");
  check(wanted.empty() || wanted.size() >= static_cast<std::size_t>(rank), "attribute \"output_shape\" has ",
        wanted.size(), " numbers");
  const std::string_view automatic = call.attrs().string("auto_pad", "NOTSET");
  const bool is_same = automatic.starts_with("SAME");
  WindowArgs windows{.kernel = get_kernel_shape(weights),
                     .strides = read_spatial(call, "strides", rank),
                     .dilations = read_spatial(call, "dilations", rank)};
  check_positive(windows);
  const std::vector<std::int32_t> pads = read_pads(call, rank);
  for (int i = 0; i < rank; ++i) {
    const std::int64_t whole = std::int64_t{windows.strides[i]} * (extents[i] - 1) + extra[i] +
                               std::int64_t{windows.kernel[i] - 1} * windows.dilations[i] + 1;
    const auto at = static_cast<std::size_t>(i);
    std::int64_t out = 0;
    if (!wanted.empty() || is_same) {
      out = wanted.empty() ? std::int64_t{extents[i]} * windows.strides[i]
                           : wanted[wanted.size() - static_cast<std::size_t>(rank) + at];
      const auto pad = static_cast<std::int32_t>(std::clamp<std::int64_t>(whole - out, 0, INT32_MAX));
      windows.before.push_back(automatic == "SAME_UPPER" ? pad / 2 : pad - pad / 2);
      windows.after.push_back(pad - windows.before[i]);
    } else {
      windows.before.push_back(pads.empty() ? 0 : pads[at]);
      windows.after.push_back(pads.empty() ? 0 : pads[at + static_cast<std::size_t>(rank)]);
      out = whole - windows.before[i] - windows.after[i];
    }
    check_shape(out > 0 && out <= INT32_MAX, "the output would have the extent ", out);
    // The kernel's pads are those of the convolution that leads back: the output's excess is not one.
    extents[i] = static_cast<std::int32_t>(out);
  }
  if (rank == 3) {
    const Tensor dilated = dilate_weights(weights, windows);
    Tensor result = transpose_volumes(x, dilated, windows, extents, groups);
    if (const Tensor bias = optional(call, 2)) result = add(result, reshape(bias, {Shape{-1, 1, 1, 1}}));
    return result;
  }
  ConvTransposeAttrs attrs;
  set_windows(attrs, windows);
  attrs.output_shape = {x.dim(0), rank == 1 ? 1 : extents[0], extents[rank - 1], weights.dim(1)};
  Tensor result = transpose_images(to_images(x), weights, attrs, groups);
  if (const Tensor bias = optional(call, 2)) result = add(result, bias);
  return from_images(result, x.rank());
}

constexpr Row kRows[] = {
    {"Conv", conv},
    {"ConvTranspose", conv_transpose},
};

}  // namespace

std::span<const Row> convolution_rows() { return kRows; }

}  // namespace tenure::onnx
