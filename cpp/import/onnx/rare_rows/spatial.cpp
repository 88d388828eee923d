// Grids, patches and the centers of images.

#include <algorithm>

#include "import/onnx/families.h"
#include "import/onnx/windows.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::onnx {
namespace {

/// Returns the positions that affine matrices give to the pixels of an image: [batch, ..., axes].
Tensor affine_grid(const Call& call) {
  const Tensor& theta = call[0];
  const Shape size = call.shape(1);
  const int axes = size.rank - 2;
  check_shape(
      (axes == 2 || axes == 3) && theta.rank() == 3 && theta.dim(1) == axes && theta.dim(2) == axes + 1,
      "matrices of ", theta.shape(), " do not fit an image of ", size);
  const bool aligns = call.attrs().flag("align_corners");
  const std::size_t pixels = size.elements(2, size.rank);
  check_shape(pixels <= INT32_MAX, "an image of ", size, " is too large");
  // Homogeneous coordinates of each pixel, that of the last axis first.
  Tensor base({{static_cast<std::int32_t>(pixels), axes + 1}, DType::kFloat32});
  auto* to = base.mutable_data<float>();
  for (std::size_t i = 0; i < pixels; ++i) {
    std::size_t rest = i;
    for (int axis = axes; axis-- > 0;) {
      const auto extent = static_cast<std::size_t>(size[axis + 2]);
      const auto at = static_cast<float>(rest % extent);
      rest /= extent;
      const auto length = static_cast<float>(extent);
      *to++ = aligns ? (extent == 1 ? 0 : 2 * at / (length - 1) - 1) : (2 * at + 1) / length - 1;
    }
    *to++ = 1;
  }
  Shape shape{theta.dim(0)};
  for (int i = 0; i < axes; ++i) shape.push_back(size[i + 2]);
  shape.push_back(axes);
  return reshape(mat_mul(base, theta, {.transpose_b = true}), {shape});
}

/// Crops or pads axes around their centers.
Tensor center(const Call& call) {
  const Tensor& x = call[0];
  const Dims wanted = call.dims(1);
  std::vector<std::int32_t> axes = call.attrs().integers("axes");
  if (!call.attrs().has("axes")) {
    for (int i = 0; i < x.rank(); ++i) axes.push_back(i);
  }
  check_shape(axes.size() == static_cast<std::size_t>(wanted.rank), "expected ", axes.size(),
              " extents, got ", wanted.rank);
  Dims begin;
  Dims size;
  PadAttrs pads;
  for (int i = 0; i < x.rank(); ++i) {
    begin.push_back(0);
    size.push_back(x.dim(i));
    pads.before.push_back(0);
    pads.after.push_back(0);
  }
  for (int i = 0; i < wanted.rank; ++i) {
    const int axis = normalize_axis(axes[static_cast<std::size_t>(i)], x.rank());
    const std::int32_t more = wanted[i] - x.dim(axis);
    check_shape(wanted[i] >= 0, "an extent is ", wanted[i]);
    size[axis] = std::min(wanted[i], x.dim(axis));
    begin[axis] = std::max(0, -more / 2);
    pads.before[axis] = std::max(0, more / 2);
    pads.after[axis] = std::max(0, more - more / 2);
  }
  return pad(slice(x, {begin, size}), pads);
}

/// Adds the columns of patches up to images: [batch, channels, ...].
Tensor columns_to_images(const Call& call) {
  const Tensor& x = call[0];
  const Dims images = call.dims(1);
  const Dims block = call.dims(2);
  const int rank = images.rank;
  const WindowArgs windows = read_windows(call, images, block);
  std::int64_t taps = 1;
  std::int64_t count = 1;
  const Dims steps = output_extents(windows, images);
  Shape whole;
  for (int i = 0; i < rank; ++i) {
    whole.push_back(images[i] + windows.before[i] + windows.after[i]);
    taps = std::min<std::int64_t>(taps * block[i], INT32_MAX);
    count = std::min<std::int64_t>(count * steps[i], INT32_MAX);
  }
  whole.validate();
  check_shape(x.rank() == 3 && x.dim(1) % taps == 0 && x.dim(2) == count, "expected ", count,
              " columns of a multiple of ", taps, " rows, got ", x.shape());
  // Positions of the rows of a column in the padded image.
  const Dims strides = whole.strides();
  std::vector<std::int32_t> positions;
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    for (std::int64_t column = 0; column < count; ++column) {
      std::int64_t at = 0;
      std::int64_t offset = tap;
      std::int64_t step = column;
      for (int i = rank; i-- > 0;) {
        at += (offset % block[i] * windows.dilations[i] + step % steps[i] * windows.strides[i]) * strides[i];
        offset /= block[i];
        step /= steps[i];
      }
      positions.push_back(static_cast<std::int32_t>(at));
    }
  }
  const auto rows_of_tap = static_cast<std::int32_t>(taps);
  const std::int32_t channels = x.dim(1) / rows_of_tap;
  const std::int32_t rows = x.dim(0) * channels;
  const Tensor updates = reshape(transpose(reshape(x, {Shape{rows, rows_of_tap, x.dim(2)}}), {Dims{1, 2, 0}}),
                                 {Shape{rows_of_tap * x.dim(2), rows}});
  const auto pixels = static_cast<std::int32_t>(whole.elements());
  const Tensor sums =
      scatter_nd(reshape(tensor1d(positions), {Shape{-1, 1}}), updates, {Shape{pixels, rows}});
  Shape shape{x.dim(0), channels};
  Dims begin{0, 0};
  Dims size{x.dim(0), channels};
  for (int i = 0; i < rank; ++i) {
    shape.push_back(whole[i]);
    begin.push_back(windows.before[i]);
    size.push_back(images[i]);
  }
  return slice(reshape(transpose(sums, {Dims{1, 0}}), {shape}), {begin, size});
}

constexpr Row kRows[] = {
    {"AffineGrid", affine_grid},
    {"CenterCropPad", center},
    {"Col2Im", columns_to_images},
};

}  // namespace

std::span<const Row> spatial_rows() { return kRows; }

}  // namespace tenure::onnx
