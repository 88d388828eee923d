#pragma once

#include "core/tensor.h"
#include "gl/device/read.h"
#include "gl/device/texture_pool.h"

namespace tenure::gl {

/// A storage's copy in a texture.
class TextureMemory final : public DeviceMemory {
 public:
  TextureMemory(Texture texture, DType dtype, std::size_t elements);
  void download(void* to) override;
  std::size_t bytes() const override { return texture_.size().bytes(); }
  bool lost() const override { return texture_.lost(); }
  const Texture& texture() const { return texture_; }
  void start_read() override;
  bool is_read_ready() const override;

 private:
  Texture texture_;
  std::unique_ptr<PackedRead> read_;
  DType dtype_;
  std::size_t elements_;
};

/// Returns the tensor's texture; uploads the tensor if it is only elsewhere. Throws Error(kContextLost) if
/// its values are lost.
const Texture& get_texture(const Tensor& tensor);

/// Returns a copy of the tensor in a new texture.
std::unique_ptr<DeviceMemory> upload(const Tensor& tensor);

/// Allocates an uninitialised texture of texel type `type` as a kernel's output and makes it the only memory
/// of the tensor's elements. Returns the texture.
const Texture& allocate_output(Tensor& tensor, TexelType type);

}  // namespace tenure::gl
