// Flips, grayscale conversions and thresholds of images.
#include "core/error.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::composed {
namespace {

// The weights are those of ITU-R BT.601.
Tensor luma(const Tensor& image) {
  const Tensor weights = Tensor::from({0.2989F, 0.587F, 0.114F}, {3});
  return sum(mul(image, weights), {.axes = {-1}, .keep_dims = true});
}

// Returns Otsu's threshold: of a histogram of 256 levels, the level with the largest variance between the two
// classes, the first of equal ones; -1 if there is only one class. N. Otsu, A Threshold Selection Method from
// Gray-Level Histograms, 1979.
Tensor otsu(const Tensor& gray) {
  constexpr std::int32_t kLevels = 256;
  const Tensor levels = range({.count = kLevels});
  const Tensor values = reshape(cast(round(gray), {DType::kInt32}), {{-1}});
  const Tensor histogram = bincount(values, fill({.shape = {0}}), {.size = kLevels});
  const Tensor weights = mul(histogram, levels);
  const Tensor below = cumsum(histogram);
  const Tensor above = sub(sum(histogram), below);
  const Tensor mean_below = div_no_nan(cumsum(weights), below);
  const Tensor mean_above = div_no_nan(sub(sum(weights), cumsum(weights)), above);
  const Tensor apart = mul(mul(below, above), squared_difference(mean_below, mean_above));
  const Tensor best = cast(arg_max(apart), {DType::kFloat32});
  return where(greater(max(apart), Tensor::scalar(0.0F)), best, Tensor::scalar(-1.0F));
}

}  // namespace

Tensor flip_left_right(const Tensor& image, const NoneAttrs&) {
  check_shape(image.rank() == 4, "Error in flipLeftRight: image must be rank 4,but got rank ", image.rank(),
              ".");
  return reverse(image, {{2}});
}

Tensor grayscale_to_rgb(const Tensor& image, const NoneAttrs&) {
  check_shape(image.rank() >= 2, "Error in grayscaleToRGB: images must be at least rank 2, but got rank ",
              image.rank(), ".");
  check_shape(image.shape().back() == 1,
              "Error in grayscaleToRGB: last dimension of a grayscale image should be size 1, but got size ",
              image.shape().back(), ".");
  TileAttrs three;
  for (int i = 1; i < image.rank(); ++i) three.reps.push_back(1);
  three.reps.push_back(3);
  return tile(image, three);
}

Tensor rgb_to_grayscale(const Tensor& image, const NoneAttrs&) {
  check_shape(image.rank() >= 2, "Error in RGBToGrayscale: images must be at least rank 2, but got rank ",
              image.rank(), ".");
  check_shape(image.shape().back() == 3,
              "Error in RGBToGrayscale: last dimension of an RGB image should be size 3, but got size ",
              image.shape().back(), ".");
  return cast(luma(image), {image.dtype()});
}

Tensor threshold(const Tensor& image, const ThresholdAttrs& attrs) {
  check_shape(image.rank() == 3, "Error in threshold: image must be rank 3,but got rank ", image.rank(), ".");
  const std::int32_t channels = image.dim(2);
  check_shape(channels == 3 || channels == 1,
              "Error in threshold: image color channel must be equal to 3 or 1but got ", channels, ".");
  const Tensor gray = channels == 3 ? luma(image) : image;
  const Tensor level = attrs.otsu != 0 ? otsu(gray) : Tensor::scalar(attrs.value * 255);
  const Tensor passes = attrs.inverted != 0 ? less_equal(gray, level) : greater(gray, level);
  return mul(passes, Tensor::scalar(255));
}

}  // namespace tenure::composed
