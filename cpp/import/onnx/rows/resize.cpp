#include "import/onnx/rows/resize.h"

#include <algorithm>
#include <cmath>

#include "import/onnx/families.h"
#include "model/passes/channels_last.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::onnx {
namespace {

double map_position(const ResizedAxis& axis, std::string_view coordinates, std::int32_t i) {
  if (coordinates == "asymmetric") return i / axis.scale;
  if (coordinates == "align_corners") {
    // The fractional size that the scale gives, which is not rounded down.
    const double out = axis.in * axis.scale;
    return axis.out == 1 || out == 1 ? 0 : i * (axis.in - 1) / (out - 1);
  }
  if (coordinates == "pytorch_half_pixel") return axis.out > 1 ? (i + 0.5) / axis.scale - 0.5 : 0;
  if (coordinates == "tf_half_pixel_for_nn") return (i + 0.5) / axis.scale;
  if (coordinates == "tf_crop_and_resize") {
    if (axis.out == 1) return 0.5 * (axis.start + axis.end) * (axis.in - 1);
    return axis.start * (axis.in - 1) + i * (axis.end - axis.start) * (axis.in - 1) / (axis.out - 1);
  }
  if (coordinates == "half_pixel_symmetric") {
    const double adjustment = axis.out / (axis.scale * axis.in);
    const double center = axis.in / 2.0;
    return center * (1 - adjustment) + (i + 0.5) / axis.scale - 0.5;
  }
  check(coordinates == "half_pixel", "the coordinate mode \"", coordinates, "\" is not supported");
  return (i + 0.5) / axis.scale - 0.5;
}

std::int32_t to_nearest(double x, std::string_view mode) {
  if (mode == "floor") return static_cast<std::int32_t>(std::floor(x));
  if (mode == "ceil") return static_cast<std::int32_t>(std::ceil(x));
  if (mode == "round_prefer_ceil") return static_cast<std::int32_t>(std::floor(x + 0.5));
  check(mode == "round_prefer_floor", "the nearest mode \"", mode, "\" is not supported");
  return static_cast<std::int32_t>(std::ceil(x - 0.5));
}

/// Resizes one axis with slices of the input, two of them if it interpolates linearly.
Tensor gather_axis(const Tensor& x, int at, const ResizedAxis& axis, const Resizing& how) {
  const std::int32_t last = axis.in - 1;
  std::vector<std::int32_t> low;
  std::vector<std::int32_t> high;
  std::vector<float> fractions;
  for (std::int32_t i = 0; i < axis.out; ++i) {
    const double position = to_input(axis, how.coordinates, i);
    if (how.mode == "nearest") {
      const bool is_ceil = how.rounds_up && axis.scale < 1;
      low.push_back(std::clamp(to_nearest(position, is_ceil ? "ceil" : how.nearest), 0, last));
      continue;
    }
    const double floor = std::floor(position);
    fractions.push_back(static_cast<float>(position - floor));
    low.push_back(std::clamp(static_cast<std::int32_t>(floor), 0, last));
    high.push_back(std::clamp(static_cast<std::int32_t>(floor) + 1, 0, last));
  }
  Tensor first = gather(x, tensor1d(low), {.axis = at});
  if (how.mode == "nearest") return first;
  Shape shape{axis.out};
  for (int i = at + 1; i < x.rank(); ++i) shape.push_back(1);
  const Tensor fraction = reshape(tensor1d(fractions), {shape});
  const Tensor second = gather(x, tensor1d(high), {.axis = at});
  return add(first, mul(sub(second, first), fraction));
}

/// Replaces what lies outside of the image along one axis.
Tensor extrapolate(const Tensor& x, int at, const ResizedAxis& axis, const Resizing& how) {
  if (how.coordinates != "tf_crop_and_resize") return x;
  std::vector<float> outside;
  outside.reserve(static_cast<std::size_t>(axis.out));
  for (std::int32_t i = 0; i < axis.out; ++i)
    outside.push_back(is_outside(to_input(axis, how.coordinates, i), axis, how) ? 1 : 0);
  Shape shape{axis.out};
  for (int i = at + 1; i < x.rank(); ++i) shape.push_back(1);
  const Tensor mask = cast(reshape(tensor1d(outside), {shape}), {DType::kBool});
  return where(mask, Tensor::scalar(how.extrapolation), x);
}

Tensor resize_axes(Tensor x, const std::vector<ResizedAxis>& axes, const Resizing& how) {
  check(how.mode == "nearest" || how.mode == "linear" || how.mode == "cubic", "the mode \"", how.mode,
        "\" is not supported");
  const bool has_weights = how.mode == "cubic" || (how.mode == "linear" && how.antialiases);
  for (int i = 0; i < x.rank(); ++i) {
    const ResizedAxis& axis = axes[static_cast<std::size_t>(i)];
    check_shape(axis.out >= 0 && axis.out < 1 << 24 && (axis.in > 0 || axis.out == 0),
                "cannot resize an axis of ", axis.in, " to ", axis.out);
    if (axis.in == axis.out && axis.scale == 1 && axis.start == 0 && axis.end == 1) continue;
    x = has_weights ? weigh_axis(x, i, axis, how) : gather_axis(x, i, axis, how);
    x = extrapolate(x, i, axis, how);
  }
  return x;
}

/// Resizes [N,C,H,W] with the engine's kernels, or returns an empty tensor if they compute something else.
Tensor resize_images(const Tensor& x, const std::vector<ResizedAxis>& axes, const Resizing& how) {
  if (x.rank() != 4 || axes[0].in != axes[0].out || axes[1].in != axes[1].out || how.antialiases) return {};
  for (const ResizedAxis& axis : axes) {
    if (axis.scale * axis.in != axis.out || axis.out < 2 || (how.rounds_up && axis.scale < 1)) return {};
  }
  const bool is_half = how.coordinates == "half_pixel" || how.coordinates == "pytorch_half_pixel";
  ResizeAttrs attrs{.height = axes[2].out,
                    .width = axes[3].out,
                    .align_corners = how.coordinates == "align_corners",
                    .half_pixel_centers = is_half};
  if (how.mode == "linear" && (is_half || attrs.align_corners || how.coordinates == "asymmetric"))
    return from_channels_last(resize_bilinear(to_channels_last(x, true), attrs), true);
  if (how.mode == "nearest" && how.coordinates == "asymmetric" && how.nearest == "floor")
    return from_channels_last(resize_nearest_neighbor(to_channels_last(x, true), attrs), true);
  return {};
}

Tensor resize(const Tensor& x, const std::vector<ResizedAxis>& axes, const Resizing& how) {
  const Tensor direct = resize_images(x, axes, how);
  return as_dtype(direct ? direct : resize_axes(x, axes, how), x.dtype());
}

std::vector<float> read_floats(const Call& call, int i) {
  if (!has(call, i)) return {};
  const Tensor values = as_dtype(call.value(i), DType::kFloat32);
  return {values.data<float>(), values.data<float>() + values.elements()};
}

void set_scale(ResizedAxis& axis, double scale) {
  const double out = std::floor(axis.in * scale * (axis.end - axis.start));
  check_shape(scale > 0 && out >= 0 && out <= INT32_MAX, "it has the scale ", scale);
  axis.scale = scale;
  axis.out = static_cast<std::int32_t>(out);
}

/// Sets the extents of the axes to `sizes`, or the largest or smallest that keep their proportions.
void set_sizes(std::vector<ResizedAxis>& axes, const Dims& positions, const Dims& sizes,
               std::string_view policy) {
  check(policy == "stretch" || policy == "not_larger" || policy == "not_smaller",
        "attribute \"keep_aspect_ratio_policy\" is \"", policy, "\"");
  double common = 0;
  for (int i = 0; i < positions.rank; ++i) {
    ResizedAxis& axis = axes[static_cast<std::size_t>(positions[i])];
    axis.out = sizes[i];
    axis.scale = static_cast<double>(sizes[i]) / axis.in;
    const bool is_better = policy == "not_larger" ? axis.scale < common : axis.scale > common;
    if (i == 0 || is_better) common = axis.scale;
  }
  if (policy == "stretch") return;
  for (const std::int32_t position : positions) {
    ResizedAxis& axis = axes[static_cast<std::size_t>(position)];
    axis.scale = common;
    axis.out = static_cast<std::int32_t>(std::floor(axis.in * common + 0.5));
  }
}

Tensor resized(const Call& call) {
  const Tensor& x = call[0];
  const bool has_roi = opset(call) >= 11;
  const Resizing how{.mode = call.attrs().string("mode", "nearest"),
                     .coordinates = call.attrs().string("coordinate_transformation_mode",
                                                        has_roi ? "half_pixel" : "asymmetric"),
                     .nearest = call.attrs().string("nearest_mode", has_roi ? "round_prefer_floor" : "floor"),
                     .cubic = static_cast<float>(call.attrs().number("cubic_coeff_a", -0.75)),
                     .extrapolation = static_cast<float>(call.attrs().number("extrapolation_value", 0)),
                     .antialiases = call.attrs().flag("antialias"),
                     .excludes_outside = call.attrs().flag("exclude_outside"),
                     .rounds_up = !has_roi};
  std::vector<ResizedAxis> axes;
  Dims positions;
  for (int i = 0; i < x.rank(); ++i) {
    axes.push_back({x.dim(i), x.dim(i), 1});
    positions.push_back(i);
  }
  if (call.attrs().has("axes")) {
    positions = {};
    for (const std::int32_t axis : call.attrs().integers("axes"))
      positions.push_back(normalize_axis(axis, x.rank()));
  }
  const auto count = static_cast<std::size_t>(positions.rank);
  if (how.coordinates == "tf_crop_and_resize") {
    const std::vector<float> region = read_floats(call, 1);
    check_shape(region.size() == 2 * count, "expected a region of ", 2 * count, " numbers, got ",
                region.size());
    for (std::size_t i = 0; i < count; ++i) {
      ResizedAxis& axis = axes[static_cast<std::size_t>(positions[static_cast<int>(i)])];
      check(std::isfinite(region[i]) && std::isfinite(region[i + count]), "its region is not finite");
      axis.start = region[i];
      axis.end = region[i + count];
    }
  }
  if (has_roi && has(call, 3) && call[3].elements() > 0) {
    const Dims sizes = call.dims(3);
    check_shape(sizes.rank == positions.rank, "expected ", count, " sizes, got ", sizes.rank);
    set_sizes(axes, positions, sizes, call.attrs().string("keep_aspect_ratio_policy", "stretch"));
  } else {
    const std::vector<float> scales = read_floats(call, has_roi ? 2 : 1);
    check_shape(scales.size() == count, "expected ", count, " scales, got ", scales.size());
    for (std::size_t i = 0; i < count; ++i)
      set_scale(axes[static_cast<std::size_t>(positions[static_cast<int>(i)])], scales[i]);
  }
  return resize(x, axes, how);
}

Tensor upsampled(const Call& call) {
  const Tensor& x = call[0];
  std::vector<float> scales = read_floats(call, 1);
  if (opset(call) < 9) {
    const std::span<const double> list = call.attrs().numbers("scales");
    scales.assign(list.begin(), list.end());
  }
  check_shape(scales.size() == static_cast<std::size_t>(x.rank()), "expected ", x.rank(), " scales, got ",
              scales.size());
  std::vector<ResizedAxis> axes;
  for (int i = 0; i < x.rank(); ++i) {
    axes.push_back({x.dim(i), x.dim(i), 1});
    set_scale(axes.back(), scales[static_cast<std::size_t>(i)]);
  }
  return resize(x, axes, {call.attrs().string("mode", "nearest"), "asymmetric", "floor"});
}

constexpr Row kRows[] = {
    {"Resize", resized},
    {"Upsample", upsampled},
};

}  // namespace

std::span<const Row> resize_rows() { return kRows; }

double to_input(const ResizedAxis& axis, std::string_view coordinates, std::int32_t i) {
  // Fits int32. Beyond the edges all positions are alike.
  constexpr double kMaxPosition = 1 << 30;
  return std::clamp(map_position(axis, coordinates, i), -kMaxPosition, kMaxPosition);
}

bool is_outside(double at, const ResizedAxis& axis, const Resizing& how) {
  return how.coordinates == "tf_crop_and_resize" && (at < 0 || at > axis.in - 1);
}

}  // namespace tenure::onnx
