#pragma once

#include "core/tensor.h"
#include "gl/device/read.h"
#include "gl/device/texture_pool.h"

namespace tenure::gl {

/// The texture behind a tensor, as its storage keeps it.
class TextureMemory final : public DeviceMemory {
 public:
  TextureMemory(Texture texture, DType dtype, std::size_t elements)
      : texture_(std::move(texture)), dtype_(dtype), elements_(elements) {}
  void download(void* to) override;
  std::size_t bytes() const override { return texture_.size().bytes(); }
  bool lost() const override { return texture_.lost(); }
  const Texture& texture() const { return texture_; }
  /// Lets the next download() find the bytes at hand, once read_ready().
  void start_read();
  bool read_ready() const;

 private:
  Texture texture_;
  std::unique_ptr<PackedRead> read_;
  DType dtype_;
  std::size_t elements_;
};

/// The tensor's texture; uploads it where it is on the CPU alone. Throws Error(kContextLost) for a tensor
/// that was lost.
const Texture& texture_of(const Tensor& tensor);

/// Uploads the tensor and gives up its place on the CPU.
void move_to_device(Tensor& tensor);

/// A texture of such texels for what a kernel is about to write, from now on the only place of the tensor's
/// elements.
const Texture& make_target(Tensor& tensor, TexelType type);

}  // namespace tenure::gl
