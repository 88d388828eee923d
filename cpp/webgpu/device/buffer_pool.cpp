#include "webgpu/device/buffer_pool.h"

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "webgpu/device/context.h"

namespace tenure::webgpu {
namespace {

constexpr std::uint64_t kUnit = 16;

/// Returns the size of the smallest buffer for `bytes` bytes: kernels read vectors of 16. In 64 bits, as sums
/// near 4 GB wrap in 32.
std::uint64_t whole_vectors(std::uint64_t bytes) {
  return std::max((bytes + kUnit - 1) / kUnit, std::uint64_t{1}) * kUnit;
}

std::uint64_t rounded_bytes(std::uint64_t bytes) {
  if (bytes <= kUnit * 8) return whole_vectors(bytes);
  const std::uint64_t unit = std::uint64_t{1} << (std::bit_width(bytes - 1) - 4);
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

Buffer::~Buffer() {
  if (pool_) pool_->release(*this);
}

bool Buffer::lost() const { return pool_->abandoned(); }
bool Buffer::lost_for_memory() const { return pool_->out_of_memory(); }

platform::ObjectHandle BufferPool::create(std::size_t bytes, platform::BufferUse use) {
  platform::ObjectHandle id = 0;
  if (bytes <= max_bytes_) {
    id = platform::create_buffer(bytes, use);
    if (!id && !free_.empty()) {
      trim();
      id = platform::create_buffer(bytes, use);
    }
  }
  if (!id) {
    fail_with(ErrorCode::kOutOfMemory, text("out of GPU memory: cannot allocate ", bytes, " bytes; ",
                                            stats_.used_bytes, " bytes are in use"));
  }
  return id;
}

Buffer BufferPool::take(std::size_t bytes) {
  const std::uint64_t rounded = rounded_bytes(bytes);
  // The largest buffers are not rounded above what the device allows.
  bytes = static_cast<std::size_t>(rounded <= max_bytes_ ? rounded : whole_vectors(bytes));
  // Most recently used first: its memory is the likeliest to be cached.
  const auto found =
      std::find_if(free_.rbegin(), free_.rend(), [&](const Free& f) { return f.bytes == bytes; });
  platform::ObjectHandle id = 0;
  unsigned batch = 0;
  if (found != free_.rend()) {
    id = found->id;
    batch = found->batch;
    free_.erase(std::next(found).base());
    stats_.free_bytes -= bytes;
    --stats_.free;
  } else {
    id = create(bytes, platform::BufferUse::kStorage);
  }
  stats_.used_bytes += bytes;
  ++stats_.used;
  return {shared_from_this(), id, bytes, batch};
}

Buffer BufferPool::take_shared(std::size_t bytes) {
  bytes = static_cast<std::size_t>(whole_vectors(bytes));
  const platform::ObjectHandle id = create(bytes, platform::BufferUse::kShared);
  stats_.used_bytes += bytes;
  ++stats_.used;
  return {shared_from_this(), id, bytes, 0, BufferEnd::kDestroy};
}

Buffer BufferPool::borrow(platform::ObjectHandle id, std::size_t bytes) {
  return {shared_from_this(), id, bytes, 0, BufferEnd::kForget};
}

void BufferPool::release(const Buffer& buffer) {
  if (buffer.end() != BufferEnd::kForget) {
    stats_.used_bytes -= buffer.bytes();
    --stats_.used;
  }
  if (abandoned_) return;
  Context* const current = Context::current();
  if (buffer.end() != BufferEnd::kReuse) {
    // Recorded commands and bind groups may use the buffer.
    if (current) current->forget_buffers();
    return buffer.end() == BufferEnd::kDestroy ? platform::destroy_buffer(buffer.id())
                                               : platform::forget_buffer(buffer.id());
  }
  free_.push_back({buffer.id(), buffer.bytes(), current ? current->batch() : 0});
  stats_.free_bytes += buffer.bytes();
  ++stats_.free;
  // To less than the budget, as it submits the recorded commands.
  if (stats_.free_bytes > budget_) shrink_to(budget_ / 4 * 3);
}

void BufferPool::set_budget(std::size_t bytes) {
  budget_ = bytes;
  shrink_to(bytes);
}

void BufferPool::shrink_to(std::size_t bytes) {
  if (stats_.free_bytes <= bytes) return;
  // Recorded commands and bind groups may use the buffers.
  if (Context* current = Context::current()) current->forget_buffers();
  auto last = free_.begin();
  for (; stats_.free_bytes > bytes; ++last) {
    platform::destroy_buffer(last->id);
    stats_.free_bytes -= last->bytes;
    --stats_.free;
  }
  free_.erase(free_.begin(), last);
}

void BufferPool::abandon(bool out_of_memory) {
  free_.clear();
  stats_.free_bytes = 0;
  stats_.free = 0;
  abandoned_ = true;
  out_of_memory_ = out_of_memory;
}

}  // namespace tenure::webgpu
