#pragma once

#include "core/tensor.h"
#include "gl/device/gles.h"

namespace tenure::gl {

/// A texture for the bytes of a picture, a texel for each pixel and rows from the top. When it is made it is
/// bound where the platform's calls that copy a picture find it.
class Picture {
 public:
  /// Throws Error(kInvalid) for a size that no texture has.
  Picture(int width, int height);
  ~Picture();
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  /// Its bytes as int32[height, width, channels].
  Tensor pixels(int channels) const;

 private:
  GLuint texture_ = 0;
  int width_;
  int height_;
};

/// Draws an image, [height, width] or [height, width, 1, 3 or 4], int32 from 0 to 255 or float32 from 0 to 1,
/// onto the platform's canvas, which has its size.
void draw_to_canvas(const Tensor& image);

}  // namespace tenure::gl
