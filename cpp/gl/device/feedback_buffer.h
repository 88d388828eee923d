#pragma once

#include <cstddef>

#include "gl/device/gles.h"

namespace tenure::gl {

/// What vertices write on its way into a texture: one buffer, as large as the largest so far.
class FeedbackBuffer {
 public:
  FeedbackBuffer() = default;
  ~FeedbackBuffer() { trim(); }
  FeedbackBuffer(const FeedbackBuffer&) = delete;
  FeedbackBuffer& operator=(const FeedbackBuffer&) = delete;

  /// Draws `count` points, of which the program in use catches `bytes` in all, and nothing of which is
  /// rasterized. The buffer is bound to GL_PIXEL_UNPACK_BUFFER afterwards. Throws Error(kOutOfMemory).
  void draw(GLsizei count, std::size_t bytes);
  void trim();
  std::size_t bytes() const { return bytes_; }

 private:
  GLuint id_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace tenure::gl
