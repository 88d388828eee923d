#pragma once

#include <memory>

#include "core/dtype.h"
#include "gl/device/gles.h"
#include "gl/device/pack_buffers.h"
#include "gl/device/texture_pool.h"

namespace tenure::gl {

/// An asynchronous read of a texture: a copy into a pixel-pack buffer followed by a fence.
class PackedRead {
 public:
  PackedRead(const Texture& from, std::size_t elements);
  ~PackedRead();
  PackedRead(const PackedRead&) = delete;
  PackedRead& operator=(const PackedRead&) = delete;
  /// True if finish() will not wait.
  bool ready() const;
  void finish(DType dtype, std::size_t elements, void* to);

 private:
  std::shared_ptr<PackBuffers> buffers_;
  GLuint buffer_;
  GLsync fence_;
};

}  // namespace tenure::gl
