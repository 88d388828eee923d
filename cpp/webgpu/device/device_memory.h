#pragma once

#include <memory>
#include <optional>

#include "core/run/lazy_chain.h"
#include "core/tensor.h"
#include "webgpu/device/buffer_pool.h"
#include "webgpu/device/error_flag.h"

namespace tenure::webgpu {

/// A storage's copy in a buffer: 32-bit words, also for bools, which are 0 or 1.
class BufferMemory final : public DeviceMemory {
 public:
  BufferMemory(Buffer buffer, DType dtype, std::size_t elements);
  /// The memory of a pending result, which gets its buffer from `pool` once it is computed.
  BufferMemory(std::unique_ptr<LazyChain> chain, std::shared_ptr<BufferPool> pool);
  ~BufferMemory() override;
  /// Throws also what kernels have reported (ErrorFlag).
  void download(void* to) override;
  std::size_t bytes() const override {
    return !buffer_ || buffer_->end() == BufferEnd::kForget ? 0 : buffer_->bytes();
  }
  bool lost() const override { return buffer_ ? buffer_->lost() : pool_->abandoned(); }
  /// Returns the buffer, which a pending result must have been computed for.
  const Buffer& buffer() const { return *buffer_; }
  const LazyChain* pending() const override { return chain_.get(); }
  void compute() override;
  void add_to(MemoryReport& report, MemoryPart part) const override {
    if (chain_) chain_->add_to(report, part);
  }
  /// Throws the error of values that were lost with their device.
  [[noreturn]] void fail_lost() const;
  void start_read() override;
  bool is_read_ready() const override;

 private:
  /// Copies the words to `to`.
  void read_words(void* to);
  void end_read();

  std::unique_ptr<LazyChain> chain_;
  /// The pool of a pending result, and of a lost one.
  std::shared_ptr<BufferPool> pool_;
  std::optional<Buffer> buffer_;
  platform::ObjectHandle read_ = 0;
  /// The check that was started with the read; may be null.
  std::shared_ptr<ErrorCheck> check_;
  DType dtype_;
  std::size_t elements_;
};

/// Returns the tensor's buffer; uploads the tensor if it is only elsewhere, and computes a pending result.
/// Throws Error(kContextLost) if its values are lost.
const Buffer& get_buffer(const Tensor& tensor);

/// Returns a copy of the tensor in a new buffer.
std::unique_ptr<DeviceMemory> upload(const Tensor& tensor);

/// Returns a copy of a tensor in a buffer of its own (BufferPool::take_shared()), which the program may use
/// until the copy is freed. All commands that compute it are submitted. Throws Error for dtypes that a device
/// does not support, and Error(kOutOfMemory).
Tensor copy_to_shared_buffer(const Tensor& tensor);

/// Returns a tensor of the first elements of a buffer that the program created on this device; with `copies`
/// of a copy of them, otherwise of the buffer itself, whose handle is given up when the tensor is freed.
/// `bytes` is the buffer's size. Throws Error if the dtype is neither float32 nor int32, if the buffer is too
/// small, or if it is to be used itself and its size is no positive multiple of 16 or more than kernels can
/// bind.
Tensor tensor_of_buffer(platform::ObjectHandle buffer, std::uint64_t bytes, const TensorSpec& spec,
                        bool copies);

/// Allocates a buffer with unspecified elements as a kernel's output and makes it the only memory of the
/// tensor's elements. Returns the buffer.
const Buffer& allocate_output(Tensor& tensor);

}  // namespace tenure::webgpu
