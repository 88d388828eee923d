#include "gl/device/feedback_buffer.h"

#include <bit>

#include "core/error.h"

namespace tenure::gl {

namespace {

// Rounds up, so that slightly larger requests reuse the buffer: to a power of two, or from 4 MB on to a
// multiple of 4 MB.
std::size_t capacity_for(std::size_t bytes) {
  constexpr std::size_t kLarge = std::size_t{1} << 22;
  return bytes < kLarge ? std::bit_ceil(bytes) : (bytes + kLarge - 1) / kLarge * kLarge;
}

}  // namespace

void FeedbackBuffer::draw(GLsizei count, std::size_t bytes) {
  if (bytes > bytes_) {
    trim();
    const std::size_t capacity = capacity_for(bytes);
    while (glGetError() != GL_NO_ERROR) {
    }
    glGenBuffers(1, &id_);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, id_);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLsizeiptr>(capacity), nullptr, GL_DYNAMIC_COPY);
    if (glGetError() != GL_NO_ERROR) {
      trim();
      fail_with(ErrorCode::kOutOfMemory, text("out of GPU memory: cannot allocate ", capacity, " bytes"));
    }
    bytes_ = capacity;
  }
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, id_);
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, count);
  glEndTransformFeedback();
  glDisable(GL_RASTERIZER_DISCARD);
  // WebGL does not allow a buffer to be bound for transform feedback and for another use at once.
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, id_);
}

void FeedbackBuffer::trim() {
  if (id_) glDeleteBuffers(1, &id_);
  id_ = 0;
  bytes_ = 0;
}

}  // namespace tenure::gl
