#pragma once

#include "core/tensor.h"
#include "gl/device/gles.h"
#include "gl/device/pack_buffers.h"
#include "gl/device/texture_pool.h"

namespace tenure::gl {

/// A copy of a texture's texels on its way to the CPU, through a pixel-pack buffer and behind a fence.
class PackedRead {
 public:
  PackedRead(const Texture& from, std::size_t elements);
  ~PackedRead();
  PackedRead(const PackedRead&) = delete;
  PackedRead& operator=(const PackedRead&) = delete;
  /// True when finish() will not wait.
  bool ready() const;
  void finish(DType dtype, std::size_t elements, void* to);

 private:
  std::shared_ptr<PackBuffers> buffers_;
  GLuint buffer_;
  GLsync fence_;
};

/// Begins to fetch a tensor, which the caller keeps alive; its data() then finds the bytes at hand, once
/// read_ready(). Nothing happens to one that is on the CPU.
void start_read(const Tensor& tensor);
/// True when data() will not wait, or will throw because the tensor is lost.
bool read_ready(const Tensor& tensor);

}  // namespace tenure::gl
