#include "webgpu/device/context.h"

#include <algorithm>

#include "core/error.h"
#include "core/run/kernel_observer.h"

namespace tenure::webgpu {
namespace {

/// Stride of the parameters of dispatches: WebGPU's default minUniformBufferOffsetAlignment, and the size of
/// the range that a dispatch binds.
constexpr std::size_t kParameterBytes = 256;
static_assert(kParameterBytes == kMaxParameters * sizeof(std::int32_t));
/// Number of dispatches that are recorded before they are submitted.
constexpr std::size_t kMaxRecorded = 256;
/// Sizes of buffers are multiples of it.
constexpr std::size_t kVectorBytes = 16;
/// Number of bind groups that are kept.
constexpr std::size_t kMaxBindGroups = 2048;

std::unique_ptr<Context>& instance() {
  static std::unique_ptr<Context> context;
  return context;
}

unsigned& contexts_started() {
  static unsigned count = 0;
  return count;
}

/// Returns the limits of the device, with buffers of whole vectors.
platform::Limits get_limits() {
  platform::Limits limits = platform::limits();
  limits.max_buffer_bytes -= limits.max_buffer_bytes % kVectorBytes;
  return limits;
}

}  // namespace

bool Context::start() {
  stop();
  ++contexts_started();
  if (!platform::open()) return false;
  instance() = std::make_unique<Context>();
  return true;
}

unsigned Context::generation() { return contexts_started(); }
void Context::stop() { instance().reset(); }
Context* Context::current() { return instance().get(); }

Context::Context()
    : limits_(get_limits()),
      buffers_(std::make_shared<BufferPool>(limits_.max_buffer_bytes)),
      errors_(buffers_),
      parameter_buffer_(
          platform::create_buffer(kMaxRecorded * kParameterBytes, platform::BufferUse::kParameters)),
      parameters_(std::make_unique<std::int32_t[]>(kMaxRecorded * kMaxParameters)) {}

Context::~Context() {
  buffers_->abandon();
  platform::close();
}

bool Context::lost() {
  if (!lost_ && platform::is_lost()) lose(platform::loss());
  return lost_;
}

void Context::lose(platform::DeviceLoss loss) {
  if (lost_) return;
  lost_ = true;
  loss_ = std::move(loss);
  buffers_->abandon(loss_.out_of_memory);
  errors_.reset();
  pipelines_.clear();
  bind_groups_.clear();
  recorded_ = 0;
  platform::close();
}

DeviceMemoryUsage Context::memory() const {
  if (lost_ || platform::is_lost()) return {};
  return {buffers_->stats().used_bytes,
          buffers_->stats().free_bytes + kMaxRecorded * kParameterBytes + ErrorFlag::kBytes};
}

void Context::add_to(MemoryReport& report) const { report.add_device(memory()); }

void Context::trim() noexcept {
  if (!lost()) buffers_->trim();
}

platform::ObjectHandle Context::find_bind_group(std::span<const platform::ObjectHandle> storages) {
  BoundBuffers key{parameter_buffer_};
  std::copy(storages.begin(), storages.end(), key.begin() + 1);
  const auto found = bind_groups_.find(key);
  if (found != bind_groups_.end()) return found->second;
  if (bind_groups_.size() == kMaxBindGroups) release_bind_groups();
  const platform::ObjectHandle group = platform::create_bind_group(std::span(key).first(storages.size() + 1));
  return bind_groups_.emplace(key, group).first->second;
}

void Context::dispatch(platform::ObjectHandle pipeline, std::span<const std::int32_t> words,
                       std::span<const platform::ObjectHandle> storages, const Workgroups& groups) {
  if (std::any_of(groups.begin(), groups.end(), [](std::size_t n) { return n > kMaxWorkgroups; })) {
    fail_with(ErrorCode::kInternal, text("a WebGPU kernel has too many workgroups: ", groups[0], " x ",
                                         groups[1], " x ", groups[2]));
  }
  if (recorded_ == kMaxRecorded) submit();
  const platform::ObjectHandle group = find_bind_group(storages);
  std::copy(words.begin(), words.end(), &parameters_[recorded_ * kMaxParameters]);
  ++dispatch_count();
  platform::dispatch(pipeline, group, recorded_++ * kParameterBytes, static_cast<int>(groups[0]),
                     static_cast<int>(groups[1]), static_cast<int>(groups[2]));
}

void Context::submit() {
  if (recorded_ == 0) return;
  platform::write_buffer(parameter_buffer_, 0, parameters_.get(), recorded_ * kParameterBytes);
  recorded_ = 0;
  ++batch_;
  platform::submit();
}

void Context::write(const Buffer& buffer, const void* from, std::size_t bytes) {
  // Writes come before the commands that are submitted after them, also before those recorded already, which
  // may use what the buffer had until it was returned to the pool.
  if (buffer.batch() == batch_) submit();
  platform::write_buffer(buffer.id(), 0, from, bytes);
}

void Context::copy(platform::ObjectHandle from, const Buffer& to, std::size_t bytes) {
  submit();
  platform::copy_buffer(from, to.id(), bytes);
}

void Context::release_bind_groups() {
  for (const auto& [buffers, group] : bind_groups_) platform::release_bind_group(group);
  bind_groups_.clear();
}

void Context::forget_buffers() {
  if (lost_) return;
  submit();
  release_bind_groups();
}

Context& context() {
  Context* current = Context::current();
  if (!current || current->lost()) {
    const std::string reason = current ? current->loss().reason : std::string();
    fail_with(ErrorCode::kContextLost, text("the WebGPU device is lost", reason.empty() ? "" : ": ", reason));
  }
  return *current;
}

}  // namespace tenure::webgpu
