#include <algorithm>
#include <cmath>

#include "import/onnx/families.h"
#include "model/passes/channels_last.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::onnx {
namespace {

/// How Resize maps positions.
struct Resizing {
  std::string_view mode;
  std::string_view coordinates;
  std::string_view nearest;
};

/// One axis of a resize: positions in the input for each position of the output.
struct AxisPositions {
  std::int32_t in;
  std::int32_t out;
  double scale;
};

double to_input(const AxisPositions& axis, std::string_view coordinates, std::int32_t i) {
  if (coordinates == "asymmetric") return i / axis.scale;
  if (coordinates == "align_corners")
    return axis.out == 1 ? 0 : static_cast<double>(i) * (axis.in - 1) / (axis.out - 1);
  if (coordinates == "pytorch_half_pixel") return axis.out > 1 ? (i + 0.5) / axis.scale - 0.5 : 0;
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

/// Resizes one axis with slices of the input, weighted if they are interpolated.
Tensor resize_axis(const Tensor& x, int axis, const AxisPositions& positions, const Resizing& how) {
  const std::int32_t last = positions.in - 1;
  std::vector<std::int32_t> low;
  std::vector<std::int32_t> high;
  std::vector<float> fractions;
  for (std::int32_t i = 0; i < positions.out; ++i) {
    const double at = to_input(positions, how.coordinates, i);
    if (how.mode == "nearest") {
      low.push_back(std::clamp(to_nearest(at, how.nearest), 0, last));
      continue;
    }
    const double floor = std::floor(at);
    fractions.push_back(static_cast<float>(at - floor));
    low.push_back(std::clamp(static_cast<std::int32_t>(floor), 0, last));
    high.push_back(std::clamp(static_cast<std::int32_t>(floor) + 1, 0, last));
  }
  const Tensor first = gather(x, tensor1d(low), {.axis = axis});
  if (how.mode == "nearest") return first;
  Shape shape{positions.out};
  for (int i = axis + 1; i < x.rank(); ++i) shape.push_back(1);
  const Tensor fraction = reshape(tensor1d(fractions), {shape});
  const Tensor second = gather(x, tensor1d(high), {.axis = axis});
  return add(first, mul(sub(second, first), fraction));
}

Tensor resize_axes(Tensor x, const std::vector<AxisPositions>& axes, const Resizing& how) {
  check(how.mode == "nearest" || how.mode == "linear", "the mode \"", how.mode, "\" is not supported");
  for (int i = 0; i < x.rank(); ++i) {
    const AxisPositions& axis = axes[static_cast<std::size_t>(i)];
    check_shape(axis.out >= 0 && (axis.in > 0 || axis.out == 0), "cannot resize an axis of ", axis.in, " to ",
                axis.out);
    if (axis.in != axis.out || axis.scale != 1) x = resize_axis(x, i, axis, how);
  }
  return x;
}

/// Resizes [N,C,H,W] with the engine's kernels, or returns an empty tensor if they compute something else.
Tensor resize_images(const Tensor& x, const std::vector<AxisPositions>& axes, const Resizing& how) {
  if (x.rank() != 4 || axes[0].in != axes[0].out || axes[1].in != axes[1].out) return {};
  for (const AxisPositions& axis : axes) {
    if (axis.scale * axis.in != axis.out || axis.out < 2) return {};
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

std::vector<float> read_floats(const Call& call, int i) {
  if (!has(call, i)) return {};
  const Tensor values = as_dtype(call.value(i), DType::kFloat32);
  return {values.data<float>(), values.data<float>() + values.elements()};
}

Tensor resized(const Call& call) {
  const Tensor& x = call[0];
  const bool has_roi = opset(call) >= 11;
  Resizing how{.mode = call.attrs().string("mode", "nearest"),
               .coordinates = call.attrs().string("coordinate_transformation_mode",
                                                  has_roi ? "half_pixel" : "asymmetric"),
               .nearest = call.attrs().string("nearest_mode", has_roi ? "round_prefer_floor" : "floor")};
  check(!call.attrs().flag("antialias") && !call.attrs().flag("exclude_outside"),
        "antialias and exclude_outside are not supported");
  check(call.attrs().string("keep_aspect_ratio_policy", "stretch") == "stretch",
        "keep_aspect_ratio_policy is not supported");
  check(call.attrs().numbers("axes").empty(), "axes are not supported");
  std::vector<float> scales = read_floats(call, has_roi ? 2 : 1);
  const auto rank = static_cast<std::size_t>(x.rank());
  std::vector<AxisPositions> axes;
  if (has_roi && has(call, 3) && call[3].elements() > 0) {
    const Dims sizes = call.dims(3);
    check_shape(sizes.rank == x.rank(), "expected ", rank, " sizes, got ", sizes.rank);
    for (int i = 0; i < x.rank(); ++i)
      axes.push_back({x.dim(i), sizes[i], static_cast<double>(sizes[i]) / x.dim(i)});
  } else {
    check_shape(scales.size() == rank, "expected ", rank, " scales, got ", scales.size());
    for (int i = 0; i < x.rank(); ++i) {
      const double scale = scales[static_cast<std::size_t>(i)];
      const double out = std::floor(x.dim(i) * scale);
      check_shape(scale > 0 && out <= INT32_MAX, "it has the scale ", scale);
      axes.push_back({x.dim(i), static_cast<std::int32_t>(out), scale});
    }
  }
  const Tensor direct = resize_images(x, axes, how);
  return direct ? direct : resize_axes(x, axes, how);
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
  std::vector<AxisPositions> axes;
  for (int i = 0; i < x.rank(); ++i) {
    const double scale = scales[static_cast<std::size_t>(i)];
    check_shape(scale > 0 && x.dim(i) * scale <= INT32_MAX, "it has the scale ", scale);
    axes.push_back({x.dim(i), static_cast<std::int32_t>(std::floor(x.dim(i) * scale)), scale});
  }
  const Resizing how{call.attrs().string("mode", "nearest"), "asymmetric", "floor"};
  const Tensor direct = resize_images(x, axes, how);
  return direct ? direct : resize_axes(x, axes, how);
}

/// Reads the attribute "blocksize" of a node with images [N,C,H,W].
std::int32_t read_block(const Call& call) {
  check_shape(call[0].rank() == 4, "expected an input of rank 4, got ", call[0].shape());
  const std::int32_t block = call.attrs().integer("blocksize", 0);
  check(block > 0 && block < 1 << 15, "attribute \"blocksize\" is ", block);
  return block;
}

Tensor from_depth(const Call& call) {
  const Tensor& x = call[0];
  const std::int32_t b = read_block(call);
  const std::int32_t channels = x.dim(1) / (b * b);
  check_shape(channels * b * b == x.dim(1), "the channels of ", x.shape(), " are no multiple of ", b * b);
  const bool by_columns = call.attrs().string("mode", "DCR") == "CRD";
  const Tensor split = reshape(x, {by_columns ? Shape{x.dim(0), channels, b, b, x.dim(2), x.dim(3)}
                                              : Shape{x.dim(0), b, b, channels, x.dim(2), x.dim(3)}});
  const Tensor moved = transpose(split, {by_columns ? Dims{0, 1, 4, 2, 5, 3} : Dims{0, 3, 4, 1, 5, 2}});
  return reshape(moved, {Shape{x.dim(0), channels, x.dim(2) * b, x.dim(3) * b}});
}

Tensor to_depth(const Call& call) {
  const Tensor& x = call[0];
  const std::int32_t b = read_block(call);
  check_shape(x.dim(2) % b == 0 && x.dim(3) % b == 0, "the images of ", x.shape(), " are no multiples of ",
              b);
  const Tensor split = reshape(x, {Shape{x.dim(0), x.dim(1), x.dim(2) / b, b, x.dim(3) / b, b}});
  return reshape(transpose(split, {Dims{0, 3, 5, 1, 2, 4}}),
                 {Shape{x.dim(0), x.dim(1) * b * b, x.dim(2) / b, x.dim(3) / b}});
}

constexpr Row kRows[] = {
    {"DepthToSpace", from_depth},
    {"Resize", resized},
    {"SpaceToDepth", to_depth},
    {"Upsample", upsampled},
};

}  // namespace

std::span<const Row> image_rows() { return kRows; }

}  // namespace tenure::onnx
