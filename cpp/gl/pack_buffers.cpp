#include "gl/pack_buffers.h"

#include <algorithm>
#include <bit>

namespace tenure::gl {

PackBuffers::~PackBuffers() {
  for (const Buffer& buffer : buffers_) glDeleteBuffers(1, &buffer.id);
}

GLuint PackBuffers::take(std::size_t bytes) {
  const std::size_t capacity = std::bit_ceil(bytes);
  for (Buffer& buffer : buffers_) {
    if (buffer.used || buffer.bytes != capacity) continue;
    buffer.used = true;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer.id);
    return buffer.id;
  }
  GLuint id = 0;
  glGenBuffers(1, &id);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, id);
  glBufferData(GL_PIXEL_PACK_BUFFER, static_cast<GLsizeiptr>(capacity), nullptr, GL_STREAM_READ);
  buffers_.push_back({id, capacity, true});
  return id;
}

void PackBuffers::give_back(GLuint id) {
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
