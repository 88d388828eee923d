#pragma once

#include <cstddef>
#include <vector>

#include "gl/device/gles.h"

namespace tenure::gl {

/// Buffers of one context that reads go through, kept for the next read.
class PackBuffers {
 public:
  ~PackBuffers();
  /// Binds a buffer of at least `bytes` to GL_PIXEL_PACK_BUFFER, and gives its number.
  GLuint take(std::size_t bytes);
  void give_back(GLuint buffer);
  /// Deletes those that no read uses.
  void trim();
  /// Forgets all buffers, whose context is gone: those on loan are then of no use either.
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
