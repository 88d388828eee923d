// Convolutions whose windows read at positions that a tensor shifts.

#include <cmath>

#include "import/onnx/families.h"
#include "import/onnx/windows.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Returns an image's value between four pixels; pixels outside of it are 0.
float interpolate(const float* image, std::int32_t height, std::int32_t width, float y, float x) {
  // Also false for NaN.
  if (!(y > -1 && y < static_cast<float>(height) && x > -1 && x < static_cast<float>(width))) return 0;
  const float top = std::floor(y);
  const float left = std::floor(x);
  const auto pixel = [&](std::int32_t row, std::int32_t column) {
    if (row < 0 || row >= height || column < 0 || column >= width) return 0.0F;
    return image[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                 static_cast<std::size_t>(column)];
  };
  const auto row = static_cast<std::int32_t>(top);
  const auto column = static_cast<std::int32_t>(left);
  const float down = y - top;
  const float right = x - left;
  const float above = pixel(row, column) * (1 - right) + pixel(row, column + 1) * right;
  const float below = pixel(row + 1, column) * (1 - right) + pixel(row + 1, column + 1) * right;
  return above * (1 - down) + below * down;
}

/// The windows of a deformable convolution of [N,C,H,W].
class ShiftedWindows {
 public:
  ShiftedWindows(const Call& call, const Tensor& x, const Tensor& offset, const Tensor& mask)
      : x_(x),
        offset_(offset),
        mask_(mask),
        windows_(read_windows(call, spatial_extents(x), {call[1].dim(2), call[1].dim(3)})),
        out_(output_extents(windows_, spatial_extents(x))),
        groups_(call.attrs().integer("offset_group", 1)) {
    const std::int32_t taps = this->taps();
    check_shape(groups_ > 0 && x.dim(1) % groups_ == 0 && groups_ <= INT32_MAX / 2 / std::max(taps, 1),
                "it has ", groups_, " offset groups for ", x.dim(1), " channels");
    const auto expect = [&](const Tensor& tensor, std::int32_t channels, std::string_view what) {
      const Shape wanted{x.dim(0), channels, out_[0], out_[1]};
      check_shape(tensor.shape() == wanted, "expected ", what, " of ", wanted, ", got ", tensor.shape());
      check(tensor.dtype() == DType::kFloat32, "expected ", what, " of float32");
    };
    expect(offset, 2 * groups_ * taps, "offsets");
    if (mask) expect(mask, groups_ * taps, "a mask");
  }

  std::int32_t taps() const { return windows_.kernel[0] * windows_.kernel[1]; }
  std::int32_t pixels() const { return out_[0] * out_[1]; }
  const Dims& out() const { return out_; }

  /// Returns the values that each window reads: [N, C, taps, pixels].
  Tensor read() const {
    Tensor columns({{x_.dim(0), x_.dim(1), taps(), pixels()}, DType::kFloat32});
    auto* to = columns.mutable_data<float>();
    for (std::int32_t image = 0; image < x_.dim(0) * x_.dim(1); ++image) {
      const std::int32_t group = image % x_.dim(1) / (x_.dim(1) / groups_);
      for (std::int32_t tap = 0; tap < taps(); ++tap, to += pixels())
        read_tap(image, (image / x_.dim(1) * groups_ + group) * taps() + tap, tap, to);
    }
    return columns;
  }

 private:
  /// Reads one position of all windows in an image. `plane` is its place among those of the mask.
  void read_tap(std::int32_t image, std::int32_t plane, std::int32_t tap, float* to) const {
    const auto size = static_cast<std::size_t>(pixels());
    const float* from = x_.data<float>() + static_cast<std::size_t>(image) * x_.shape().elements(2, 4);
    const float* down = offset_.data<float>() + 2 * static_cast<std::size_t>(plane) * size;
    const float* right = down + size;
    const float* factor = mask_ ? mask_.data<float>() + static_cast<std::size_t>(plane) * size : nullptr;
    const std::int32_t top = tap / windows_.kernel[1] * windows_.dilations[0] - windows_.before[0];
    const std::int32_t left = tap % windows_.kernel[1] * windows_.dilations[1] - windows_.before[1];
    for (std::int32_t i = 0; i < pixels(); ++i) {
      const std::int32_t row = i / out_[1] * windows_.strides[0] + top;
      const std::int32_t column = i % out_[1] * windows_.strides[1] + left;
      const float y = static_cast<float>(row) + down[i];
      const float x = static_cast<float>(column) + right[i];
      to[i] = interpolate(from, x_.dim(2), x_.dim(3), y, x) * (factor ? factor[i] : 1);
    }
  }

  const Tensor& x_;
  const Tensor& offset_;
  const Tensor& mask_;
  WindowArgs windows_;
  Dims out_;
  std::int32_t groups_;
};

Tensor deformable_convolution(const Call& call) {
  const Tensor& x = call.value(0);
  const Tensor& weights = call[1];
  const Tensor mask = has(call, 4) ? call.value(4) : Tensor();
  check_shape(x.rank() == 4 && weights.rank() == 4, "expected images and weights of rank 4, got ", x.shape(),
              " and ", weights.shape());
  check(x.dtype() == DType::kFloat32, "expected float32 images, got ", get_name(x.dtype()));
  const std::int32_t groups = call.attrs().integer("group", 1);
  const std::int32_t outputs = weights.dim(0);
  check_shape(
      groups > 0 && outputs % groups == 0 && x.dim(1) % groups == 0 && weights.dim(1) == x.dim(1) / groups,
      "weights of ", weights.shape(), " do not fit ", x.shape(), " in ", groups, " groups");
  const ShiftedWindows windows(call, x, call.value(2), mask);
  const std::int32_t depth = weights.dim(1) * windows.taps();
  const Tensor columns = reshape(windows.read(), {Shape{x.dim(0), groups, depth, windows.pixels()}});
  const Tensor matrices = reshape(weights, {Shape{1, groups, outputs / groups, depth}});
  const Tensor result =
      reshape(mat_mul(matrices, columns), {Shape{x.dim(0), outputs, windows.out()[0], windows.out()[1]}});
  const Tensor bias = optional(call, 3);
  return bias ? add(result, reshape(bias, {Shape{outputs, 1, 1}})) : result;
}

constexpr Row kRows[] = {{"DeformConv", deformable_convolution}};

}  // namespace

std::span<const Row> deformable_rows() { return kRows; }

}  // namespace tenure::onnx
