#include "import/onnx/windows.h"

#include <algorithm>
#include <cstdlib>

#include "core/memory/transposed_filter.h"
#include "model/passes/channels_last.h"
#include "ops/ops.h"

namespace tenure::onnx {

Dims read_spatial(const Call& call, std::string_view name, int rank, std::int32_t otherwise) {
  const std::vector<std::int32_t> list = call.attrs().integers(name);
  if (list.empty()) {
    Dims dims;
    for (int i = 0; i < rank; ++i) dims.push_back(otherwise);
    return dims;
  }
  check(list.size() == static_cast<std::size_t>(rank), "attribute \"", name, "\" has ", list.size(),
        " numbers, ", rank, " were expected");
  return Dims(std::span<const std::int32_t>(list));
}

std::vector<std::int32_t> read_pads(const Call& call, int rank) {
  const std::vector<std::int32_t> pads = call.attrs().integers("pads");
  check(pads.empty() || pads.size() == 2 * static_cast<std::size_t>(rank), "attribute \"pads\" has ",
        pads.size(), " numbers, ", 2 * rank, " were expected");
  // Sums of pads and extents fit 32 bits.
  for (const std::int32_t pad : pads)
    check_shape(std::abs(std::int64_t{pad}) < 1 << 29, "it has a pad of ", pad);
  return pads;
}

void check_positive(const WindowArgs& windows) {
  for (int i = 0; i < windows.rank(); ++i) {
    check(windows.kernel[i] > 0 && windows.strides[i] > 0 && windows.dilations[i] > 0, "it has windows of ",
          windows.kernel, ", strides of ", windows.strides, " and dilations of ", windows.dilations);
  }
}

WindowArgs read_windows(const Call& call, const Dims& extents, const Dims& kernel) {
  const int rank = extents.rank;
  check_shape(kernel.rank == rank, "expected windows of ", rank, " dimensions, got ", kernel.rank);
  WindowArgs windows{.kernel = kernel,
                     .strides = read_spatial(call, "strides", rank),
                     .dilations = read_spatial(call, "dilations", rank)};
  check_positive(windows);
  const std::string_view automatic = call.attrs().string("auto_pad", "NOTSET");
  const std::vector<std::int32_t> pads = read_pads(call, rank);
  for (int i = 0; i < rank; ++i) {
    if (automatic == "NOTSET") {
      windows.before.push_back(pads.empty() ? 0 : pads[static_cast<std::size_t>(i)]);
      windows.after.push_back(
          pads.empty() ? 0 : pads[static_cast<std::size_t>(i) + static_cast<std::size_t>(rank)]);
      continue;
    }
    std::int64_t whole = 0;
    if (automatic != "VALID") {
      check(automatic == "SAME_UPPER" || automatic == "SAME_LOWER", "attribute \"auto_pad\" is \"", automatic,
            "\"");
      const std::int64_t stride = windows.strides[i];
      const std::int64_t out = (extents[i] + stride - 1) / stride;
      const std::int64_t reach = std::int64_t{windows.kernel[i] - 1} * windows.dilations[i] + 1;
      whole = std::clamp<std::int64_t>((out - 1) * stride + reach - extents[i], 0, INT32_MAX);
    }
    const auto pad = static_cast<std::int32_t>(whole);
    windows.before.push_back(automatic == "SAME_LOWER" ? pad - pad / 2 : pad / 2);
    windows.after.push_back(pad - windows.before[i]);
  }
  return windows;
}

Dims output_extents(const WindowArgs& windows, const Dims& extents) {
  Dims out;
  for (int i = 0; i < windows.rank(); ++i) {
    const std::int64_t reach = std::int64_t{windows.kernel[i] - 1} * windows.dilations[i] + 1;
    const std::int64_t whole = std::int64_t{extents[i]} + windows.before[i] + windows.after[i];
    check_shape(whole >= reach && whole <= INT32_MAX, "windows of ", windows.kernel, " do not fit images of ",
                extents);
    out.push_back(static_cast<std::int32_t>((whole - reach) / windows.strides[i] + 1));
  }
  return out;
}

Dims spatial_extents(const Tensor& x) {
  check_shape(x.rank() >= 3 && x.rank() <= 5,
              "expected [batch, channels, ...] with 1 to 3 further dimensions, got ", x.shape());
  Dims extents;
  for (int i = 2; i < x.rank(); ++i) extents.push_back(x.dim(i));
  return extents;
}

Tensor to_images(const Tensor& x) { return to_channels_last(x.rank() == 3 ? expand_dims(x, {2}) : x, true); }

Tensor from_images(const Tensor& x, int rank) {
  const Tensor result = from_channels_last(x, true);
  return rank == 3 ? squeeze(result, {Dims{2}}) : result;
}

Dims detach_strides(WindowArgs& windows) {
  bool has_strides = false;
  bool has_dilations = false;
  for (int i = 0; i < windows.rank(); ++i) {
    has_strides = has_strides || windows.strides[i] > 1;
    has_dilations = has_dilations || windows.dilations[i] > 1;
  }
  if (!has_strides || !has_dilations) return {};
  const Dims strides = windows.strides;
  for (std::int32_t& stride : windows.strides) stride = 1;
  return strides;
}

Tensor take_strides(const Tensor& x, const Dims& strides) {
  if (strides.empty()) return x;
  StridedSliceAttrs attrs;
  for (int i = 0; i < x.rank(); ++i) {
    // Images of one spatial axis have a height of 1 before it.
    const int axis = i - (x.rank() - 1 - strides.rank);
    attrs.begin.push_back(0);
    attrs.end.push_back(x.dim(i));
    attrs.strides.push_back(axis >= 0 && axis < strides.rank ? strides[axis] : 1);
  }
  return strided_slice(x, attrs);
}

Tensor to_filter(const Tensor& weights) {
  const Tensor w = weights.rank() == 3 ? expand_dims(weights, {2}) : weights;
  return w.rank() == 4 ? TransposedFilter::transpose(w) : transpose(w, {Dims{2, 3, 4, 1, 0}});
}

Tensor to_depthwise_filter(const Tensor& weights, std::int32_t channels) {
  const Tensor w = weights.rank() == 3 ? expand_dims(weights, {2}) : weights;
  const Tensor last = transpose(w, {Dims{2, 3, 0, 1}});
  return reshape(last, {Shape{w.dim(2), w.dim(3), channels, -1}});
}

Dims get_kernel_shape(const Tensor& weights) {
  Dims kernel;
  for (int i = 2; i < weights.rank(); ++i) kernel.push_back(weights.dim(i));
  return kernel;
}

Tensors split_groups(const Tensor& x, std::int32_t groups, int axis) {
  return split(x, {.sizes = std::vector<std::int32_t>(static_cast<std::size_t>(groups), x.dim(axis) / groups),
                   .axis = axis});
}

Tensor pad_images(const Tensor& x, const WindowArgs& windows) {
  PadAttrs attrs;
  bool pads = false;
  // Images of one spatial axis have a height of 1 before it.
  const int first = x.rank() - 1 - windows.rank();
  for (int i = 0; i < x.rank(); ++i) {
    const bool is_spatial = i >= first && i < x.rank() - 1;
    attrs.before.push_back(is_spatial ? windows.before[i - first] : 0);
    attrs.after.push_back(is_spatial ? windows.after[i - first] : 0);
    pads = pads || attrs.before[i] != 0 || attrs.after[i] != 0;
  }
  return pads ? pad(x, attrs) : x;
}

}  // namespace tenure::onnx
