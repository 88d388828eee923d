#pragma once

#include "core/tensor.h"
#include "gl/device/gles.h"

namespace tenure::gl {

/// An RGBA8 texture for an image: one texel for each pixel, the first row at the top. Its constructor leaves
/// the texture bound for the platform's calls that copy an image into it.
class Picture {
 public:
  /// Throws Error(kInvalid) if a texture cannot have this size.
  Picture(int width, int height);
  ~Picture();
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  /// Returns the bytes as int32[height, width, channels].
  Tensor pixels(int channels) const;

 private:
  GLuint texture_ = 0;
  int width_;
  int height_;
};

/// Draws an image onto the platform's canvas, which has the image's size. Shapes: [height, width] or [height,
/// width, 1, 3 or 4]; int32 from 0 to 255 or float32 from 0 to 1.
void draw_to_canvas(const Tensor& image);

}  // namespace tenure::gl
