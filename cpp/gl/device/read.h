#pragma once

#include "core/tensor.h"
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

/// Starts an asynchronous read of a tensor, which the caller keeps alive. Its data() does not wait once
/// read_ready() is true. Does nothing for a tensor on the CPU.
void start_read(const Tensor& tensor);
/// True if data() will not wait. Also true for a lost tensor, whose data() throws.
bool read_ready(const Tensor& tensor);

}  // namespace tenure::gl
