#include "webgpu/device/buffer_pool.h"

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "webgpu/device/context.h"

namespace tenure::webgpu {
namespace {

std::size_t rounded_bytes(std::size_t bytes) {
  constexpr std::size_t kUnit = 16;
  if (bytes <= kUnit * 8) return std::max((bytes + kUnit - 1) / kUnit, std::size_t{1}) * kUnit;
  const std::size_t unit = std::size_t{1} << (std::bit_width(bytes - 1) - 4);
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

Buffer::~Buffer() {
  if (pool_) pool_->release(id_, bytes_);
}

bool Buffer::lost() const { return pool_->abandoned(); }

platform::Handle BufferPool::create(std::size_t bytes) {
  if (bytes > max_bytes_) return 0;
  const platform::Handle id = platform::create_buffer(bytes, platform::BufferUse::kStorage);
  if (id || free_.empty()) return id;
  trim();
  return platform::create_buffer(bytes, platform::BufferUse::kStorage);
}

Buffer BufferPool::take(std::size_t bytes) {
  const std::size_t rounded = rounded_bytes(bytes);
  // The largest buffers are not rounded above what the device allows.
  bytes = rounded <= max_bytes_ ? rounded : (bytes + 15) / 16 * 16;
  // Most recently used first: its memory is the likeliest to be cached.
  const auto found =
      std::find_if(free_.rbegin(), free_.rend(), [&](const Free& f) { return f.bytes == bytes; });
  platform::Handle id = 0;
  unsigned batch = 0;
  if (found != free_.rend()) {
    id = found->id;
    batch = found->batch;
    free_.erase(std::next(found).base());
    stats_.free_bytes -= bytes;
    --stats_.free;
  } else {
    id = create(bytes);
    if (!id) {
      fail_with(ErrorCode::kOutOfMemory, text("out of GPU memory: cannot allocate ", bytes, " bytes; ",
                                              stats_.used_bytes, " bytes are in use"));
    }
  }
  stats_.used_bytes += bytes;
  ++stats_.used;
  return {shared_from_this(), id, bytes, batch};
}

void BufferPool::release(platform::Handle id, std::size_t bytes) {
  stats_.used_bytes -= bytes;
  --stats_.used;
  if (abandoned_) return;
  const Context* current = Context::current();
  free_.push_back({id, bytes, current ? current->batch() : 0});
  stats_.free_bytes += bytes;
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

void BufferPool::abandon() {
  free_.clear();
  stats_.free_bytes = 0;
  stats_.free = 0;
  abandoned_ = true;
}

}  // namespace tenure::webgpu
