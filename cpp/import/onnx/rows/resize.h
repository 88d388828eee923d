#pragma once

#include "import/onnx/row.h"

namespace tenure::onnx {

/// Coordinate mapping and interpolation of Resize.
struct Resizing {
  std::string_view mode;
  std::string_view coordinates;
  std::string_view nearest;
  float cubic = -0.75F;  ///< coefficient of cubic interpolation
  float extrapolation = 0;
  bool antialiases = false;
  bool excludes_outside = false;
  bool rounds_up = false;  ///< takes the next pixel where an axis shrinks, as Resize of opset 10
};

/// One axis of a resize.
struct ResizedAxis {
  std::int32_t in;
  std::int32_t out;
  double scale;
  double start = 0;  ///< of the region of interest, normalized
  double end = 1;
};

/// Returns the position in the input of an output's pixel.
double to_input(const ResizedAxis& axis, std::string_view coordinates, std::int32_t i);

/// True if a position is outside of the image, where tf_crop_and_resize takes a constant.
bool is_outside(double at, const ResizedAxis& axis, const Resizing& how);

/// Resizes one axis, cubically or with antialiasing.
Tensor weigh_axis(const Tensor& x, int at, const ResizedAxis& axis, const Resizing& how);

}  // namespace tenure::onnx
