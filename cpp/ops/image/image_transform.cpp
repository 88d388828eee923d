// Crops, projective transforms and rotations of images.
#include <cmath>

#include "core/error.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {

TensorSpec crop_and_resize(Inputs in, const CropAttrs& attrs) {
  const Shape& image = in[0].shape();
  const Shape& boxes = in[1].shape();
  const Shape& which = in[2].shape();
  check_shape(image.rank == 4, "Error in cropAndResize: image must be rank 4,but got rank ", image.rank, ".");
  check_shape(boxes.rank == 2 && boxes[1] == 4, "Error in cropAndResize: boxes must be have size [",
              boxes.rank > 0 ? boxes[0] : 0, ",4] but had shape ", boxes, ".");
  check_shape(which.rank == 1 && which[0] == boxes[0], "Error in cropAndResize: boxInd must be have size [",
              boxes[0], "] but had shape ", which, ".");
  check_shape(attrs.height >= 1 && attrs.width >= 1, "cropSize must be atleast [1,1], but was ", attrs.height,
              ",", attrs.width);
  return {{boxes[0], attrs.height, attrs.width, image[3]}, DType::kFloat32};
}

TensorSpec transform(Inputs in, const TransformAttrs& attrs) {
  const Shape& image = in[0].shape();
  const Shape& transforms = in[1].shape();
  check_shape(image.rank == 4, "Error in transform: image must be rank 4,but got rank ", image.rank, ".");
  check_shape(transforms.rank == 2 && (transforms[0] == image[0] || transforms[0] == 1) && transforms[1] == 8,
              "Error in transform: Input transform should be batch x 8 or 1 x 8");
  return {{image[0], attrs.height, attrs.width, image[3]}, DType::kFloat32};
}

}  // namespace tenure::infer

namespace tenure::composed {

Tensor rotate_with_offset(const Tensor& image, const RotateAttrs& attrs) {
  check_shape(image.rank() == 4, "Error in rotateWithOffset: image must be rank 4,but got rank ",
              image.rank(), ".");
  const std::int32_t height = image.dim(1);
  const std::int32_t width = image.dim(2);
  const float cosine = std::cos(attrs.radians);
  const float sine = std::sin(attrs.radians);
  const float x = attrs.center_x * static_cast<float>(width);
  const float y = attrs.center_y * static_cast<float>(height);
  const Tensor turn = Tensor::from(
      {cosine, -sine, x - x * cosine + y * sine, sine, cosine, y - x * sine - y * cosine, 0.0F, 0.0F},
      {1, 8});
  TransformAttrs how{.height = height, .width = width, .fill = attrs.red};
  Tensor turned = transform(image, turn, how);
  const float fills[] = {attrs.red, attrs.green, attrs.blue, attrs.opacity};
  if (attrs.red == attrs.green && attrs.red == attrs.blue && attrs.red == attrs.opacity) return turned;
  // Outside the image each channel has a separate fill value; channels after the fourth use the fourth's.
  Tensor outside({{image.dim(3)}, DType::kFloat32});
  for (std::int32_t c = 0; c < image.dim(3); ++c) outside.mutable_data<float>()[c] = fills[c < 3 ? c : 3];
  how.fill = 0;
  const Tensor inside = transform(fill({.shape = image.shape(), .value = 1}), turn, how);
  return where(cast(inside, {DType::kBool}), turned, outside);
}

}  // namespace tenure::composed
