#pragma once

#include <cstddef>

#include "gl/device/gles.h"

namespace tenure::gl {

/// The buffer that transform feedback writes vertex outputs to before they are copied into a texture. It
/// grows to the largest size requested.
class FeedbackBuffer {
 public:
  FeedbackBuffer() = default;
  ~FeedbackBuffer() { trim(); }
  FeedbackBuffer(const FeedbackBuffer&) = delete;
  FeedbackBuffer& operator=(const FeedbackBuffer&) = delete;

  /// Draws `count` points with the current program, whose vertex outputs (`bytes` in all) are captured in the
  /// buffer; nothing is rasterized. Leaves the buffer bound to GL_PIXEL_UNPACK_BUFFER. Throws
  /// Error(kOutOfMemory).
  void draw(GLsizei count, std::size_t bytes);
  void trim();
  std::size_t bytes() const { return bytes_; }

 private:
  GLuint id_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace tenure::gl
