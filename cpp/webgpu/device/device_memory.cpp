#include "webgpu/device/device_memory.h"

#include <vector>

#include "core/error.h"
#include "core/memory/transfer_stats.h"
#include "webgpu/backend.h"
#include "webgpu/device/context.h"

namespace tenure::webgpu {
namespace {

constexpr std::size_t kWord = sizeof(std::int32_t);

std::unique_ptr<BufferMemory> allocate(const Tensor& tensor) {
  return std::make_unique<BufferMemory>(context().buffers().take(tensor.elements() * kWord), tensor.dtype(),
                                        tensor.elements());
}

}  // namespace

BufferMemory::BufferMemory(Buffer buffer, DType dtype, std::size_t elements)
    : DeviceMemory(webgpu::device()), buffer_(std::move(buffer)), dtype_(dtype), elements_(elements) {}

BufferMemory::BufferMemory(std::unique_ptr<LazyChain> chain, std::shared_ptr<BufferPool> pool)
    : DeviceMemory(webgpu::device()),
      chain_(std::move(chain)),
      pool_(std::move(pool)),
      dtype_(chain_->spec().dtype),
      elements_(chain_->spec().shape.elements()) {}

BufferMemory::~BufferMemory() { end_read(); }

void BufferMemory::end_read() {
  if (read_ && !lost()) platform::end_read(read_);
  read_ = 0;
  check_.reset();
}

void BufferMemory::fail_lost() const {
  if (buffer_ ? buffer_->lost_for_memory() : pool_->out_of_memory()) {
    fail_with(ErrorCode::kOutOfMemory,
              "out of GPU memory: the WebGPU device had none for a buffer, and was lost with the values of "
              "this tensor");
  }
  fail_with(ErrorCode::kContextLost, "the WebGPU device was lost, and with it the values of this tensor");
}

void BufferMemory::compute() {
  if (!chain_) return;
  if (lost()) {
    // Releases the inputs. The result is not pending anymore: only its own readers fail.
    chain_.reset();
    fail_lost();
  }
  const Op op = chain_->op();
  const TransferScope scope(op);
  try {
    Tensor result = Tensor::deferred(chain_->spec());
    chain_->run(result);
    buffer_.emplace(std::move(*static_cast<BufferMemory*>(result.storage()->device())->buffer_));
  } catch (const Error& error) {
    rethrow_with_op(error, op_def(op).js_name);
  }
  chain_.reset();
  pool_.reset();
}

void BufferMemory::start_read() {
  compute();
  if (lost()) fail_lost();
  if (read_ && !(check_ && check_->is_finished())) return;
  end_read();
  context().submit();
  read_ = platform::start_read(buffer_->id(), elements_ * kWord);
  check_ = context().errors().start_check();
}

bool BufferMemory::is_read_ready() const {
  return lost() || !read_ ||
         (platform::read_state(read_) != platform::ReadState::kPending && (!check_ || check_->is_ready()));
}

void BufferMemory::read_words(void* to) {
  const platform::ReadState state = read_ ? platform::read_state(read_) : platform::ReadState::kPending;
  if (state == platform::ReadState::kFailed) fail_lost();
  if (state == platform::ReadState::kReady && (!check_ || check_->is_ready())) {
    // An error leaves the read as it is, for others that wait for it.
    if ((check_ && !check_->finish()) || !platform::finish_read(read_, to)) fail_lost();
    return end_read();
  }
  context().submit();
  switch (platform::read_now(buffer_->id(), to, elements_ * kWord)) {
    case platform::SyncRead::kDone: end_read(); return context().errors().check_now();
    case platform::SyncRead::kFailed: fail_lost();
    case platform::SyncRead::kUnavailable:
      fail(
          "the values of a tensor are only on the GPU and cannot be read synchronously here: "
          "`await tensor.data()` first, which copies them to the CPU");
    case platform::SyncRead::kAltered:
      fail(
          "this browser alters what is read from a canvas, so values on the GPU cannot be read "
          "synchronously: `await tensor.data()` first, which copies them to the CPU");
  }
}

void BufferMemory::download(void* to) {
  compute();
  if (lost()) fail_lost();
  if (dtype_ == DType::kBool) {
    std::vector<std::int32_t> words(elements_);
    read_words(words.data());
    auto* bools = static_cast<std::uint8_t*>(to);
    for (std::size_t i = 0; i < words.size(); ++i) bools[i] = words[i] != 0;
  } else {
    read_words(to);
  }
}

const Buffer& get_buffer(const Tensor& tensor) {
  auto& in_buffer = static_cast<BufferMemory&>(device().get_copy(tensor));
  in_buffer.compute();
  if (in_buffer.lost()) in_buffer.fail_lost();
  return in_buffer.buffer();
}

std::unique_ptr<DeviceMemory> upload(const Tensor& tensor) {
  auto memory = allocate(tensor);
  const void* bytes = tensor.storage()->data();
  if (tensor.dtype() == DType::kBool) {
    const auto* bools = static_cast<const std::uint8_t*>(bytes);
    std::vector<std::int32_t> words(tensor.elements());
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = bools[i] != 0;
    context().write(memory->buffer(), words.data(), words.size() * kWord);
  } else {
    context().write(memory->buffer(), bytes, tensor.elements() * kWord);
  }
  return memory;
}

const Buffer& allocate_output(Tensor& tensor) {
  auto memory = allocate(tensor);
  const Buffer& buffer = memory->buffer();
  tensor.storage()->move_to(std::move(memory));
  return buffer;
}

namespace {

Tensor with_buffer(Buffer buffer, const TensorSpec& spec) {
  Tensor tensor = Tensor::deferred(spec);
  tensor.storage()->move_to(
      std::make_unique<BufferMemory>(std::move(buffer), spec.dtype, spec.shape.elements()));
  return tensor;
}

}  // namespace

Tensor copy_to_shared_buffer(const Tensor& tensor) {
  check(device().supports(tensor.spec()), "a tensor of dtype ", get_name(tensor.dtype()), " and shape ",
        tensor.shape(), " cannot be in a buffer of this GPU");
  Buffer shared = context().buffers().take_shared(tensor.elements() * kWord);
  if (tensor.elements() > 0) context().copy(get_buffer(tensor), shared, tensor.elements() * kWord);
  return with_buffer(std::move(shared), tensor.spec());
}

Tensor tensor_of_buffer(platform::ObjectHandle buffer, std::uint64_t bytes, const TensorSpec& spec,
                        bool copies) {
  check(spec.dtype == DType::kFloat32 || spec.dtype == DType::kInt32,
        "[tensor] the values of a GPUBuffer are float32 or int32, got dtype ", get_name(spec.dtype));
  check(device().supports(spec), "[tensor] a tensor of shape ", spec.shape,
        " is larger than the buffers of this GPU");
  const std::size_t needed = spec.shape.elements() * kWord;
  check(bytes >= needed, "[tensor] a tensor of shape ", spec.shape, " needs ", needed,
        " bytes, but the GPUBuffer has ", bytes);
  const std::size_t max_bytes = context().limits().max_buffer_bytes;
  check(copies || bytes <= max_bytes, "[tensor] with zeroCopy, a GPUBuffer can have ", max_bytes,
        " bytes on this GPU, got ", bytes);
  check(copies || (bytes > 0 && bytes % 16 == 0),
        "[tensor] with zeroCopy, a GPUBuffer must have a positive multiple of 16 bytes, got ", bytes);
  BufferPool& buffers = context().buffers();
  if (!copies) return with_buffer(buffers.borrow(buffer, static_cast<std::size_t>(bytes)), spec);
  Buffer copy = buffers.take(needed);
  if (needed > 0) context().copy(buffer, copy, needed);
  return with_buffer(std::move(copy), spec);
}

}  // namespace tenure::webgpu
