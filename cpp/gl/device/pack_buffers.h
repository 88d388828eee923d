#pragma once

#include <cstddef>
#include <vector>

#include "gl/device/gles.h"

namespace tenure::gl {

/// A pool of one context's pixel-pack buffers, which reads use.
class PackBuffers {
 public:
  ~PackBuffers();
  /// Binds a free buffer of at least `bytes` bytes to GL_PIXEL_PACK_BUFFER and returns its id.
  GLuint take(std::size_t bytes);
  void release(GLuint buffer);
  /// Deletes the free buffers.
  void trim();
  /// Forgets all buffers without deleting them, for a lost context. Those in use become invalid too.
  void abandon() { buffers_.clear(); }

 private:
  struct Buffer {
    GLuint id;
    std::size_t bytes;
    bool used;
  };
  std::vector<Buffer> buffers_;
};

}  // namespace tenure::gl
