#pragma once

#include "core/tensor.h"
#include "webgpu/device/buffer_pool.h"

namespace tenure::webgpu {

/// A storage's copy in a buffer: 32-bit words, also for bools, which are 0 or 1.
class BufferMemory final : public DeviceMemory {
 public:
  BufferMemory(Buffer buffer, DType dtype, std::size_t elements);
  ~BufferMemory() override;
  void download(void* to) override;
  std::size_t bytes() const override { return buffer_.end() == BufferEnd::kForget ? 0 : buffer_.bytes(); }
  bool lost() const override { return buffer_.lost(); }
  const Buffer& buffer() const { return buffer_; }
  void start_read() override;
  bool is_read_ready() const override;

 private:
  /// Copies the words to `to`.
  void read_words(void* to);
  void end_read();

  Buffer buffer_;
  platform::Handle read_ = 0;
  DType dtype_;
  std::size_t elements_;
};

/// Returns the tensor's buffer; uploads the tensor if it is only elsewhere. Throws Error(kContextLost) if its
/// values are lost.
const Buffer& get_buffer(const Tensor& tensor);

/// Uploads the tensor and frees its bytes on the CPU.
void move_to_device(Tensor& tensor);

/// Returns a copy of a tensor in a buffer of its own (BufferPool::take_shared()), which the program may use
/// until the copy is freed. All commands that compute it are submitted. Throws Error for dtypes that a device
/// does not support, and Error(kOutOfMemory).
Tensor copy_to_shared_buffer(const Tensor& tensor);

/// Returns a tensor of the first elements of a buffer that the program created on this device; with `copies`
/// of a copy of them, otherwise of the buffer itself, whose handle is given up when the tensor is freed.
/// `bytes` is the buffer's size. Throws Error if the dtype is neither float32 nor int32, if the buffer is too
/// small, or if it is to be used itself and its size is no multiple of 16.
Tensor tensor_of_buffer(platform::Handle buffer, std::size_t bytes, const TensorSpec& spec, bool copies);

/// Allocates a buffer with unspecified elements as a kernel's output and makes it the only memory of the
/// tensor's elements. Returns the buffer.
const Buffer& allocate_output(Tensor& tensor);

}  // namespace tenure::webgpu
