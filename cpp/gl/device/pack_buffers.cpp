#include "gl/device/pack_buffers.h"

#include <algorithm>
#include <bit>

namespace tenure::gl {

PackBuffers::~PackBuffers() {
  for (const Buffer& buffer : buffers_) glDeleteBuffers(1, &buffer.id);
}

GLuint PackBuffers::take(std::size_t bytes) {
  const std::size_t capacity = std::bit_ceil(bytes);
  auto buffer = std::find_if(buffers_.begin(), buffers_.end(),
                             [=](const Buffer& kept) { return !kept.used && kept.bytes == capacity; });
  if (buffer == buffers_.end()) {
    GLuint id = 0;
    glGenBuffers(1, &id);
    buffer = buffers_.insert(buffer, {id, capacity, true});
  }
  buffer->used = true;
  glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer->id);
  // Buffers with memory are reallocated too: Chromium warns about a buffer that is written twice, even if it
  // was read in between.
  glBufferData(GL_PIXEL_PACK_BUFFER, static_cast<GLsizeiptr>(capacity), nullptr, GL_STREAM_READ);
  return buffer->id;
}

void PackBuffers::release(GLuint id) {
  for (Buffer& buffer : buffers_) {
    if (buffer.id == id) buffer.used = false;
  }
}

void PackBuffers::trim() {
  std::erase_if(buffers_, [](const Buffer& buffer) {
    if (!buffer.used) glDeleteBuffers(1, &buffer.id);
    return !buffer.used;
  });
}

}  // namespace tenure::gl
