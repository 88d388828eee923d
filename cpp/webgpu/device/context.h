#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/memory/memory_tracked.h"
#include "core/run/device.h"
#include "webgpu/device/buffer_pool.h"
#include "webgpu/device/error_flag.h"
#include "webgpu/device/platform.h"

namespace tenure::webgpu {

/// Numbers of workgroups in three dimensions.
using Workgroups = std::array<std::size_t, 3>;

/// Maximum number of workgroups in one dimension of a dispatch.
constexpr std::size_t kMaxWorkgroups = 65535;
/// Maximum number of parameters of a dispatch, which are 32-bit words.
constexpr std::size_t kMaxParameters = 64;

/// The engine's only WebGPU device: its buffers, its pipelines, and the commands that are not submitted yet.
class Context : public MemoryTracked {
 public:
  /// Starts a new context in place of the current one. Returns false if the platform has no device.
  static bool start();
  /// Destroys the current context. Tensors whose values are only on it are lost.
  static void stop();
  /// Returns the number of contexts started so far, which identifies the current one.
  static unsigned generation();
  /// Returns the current context, or null if none was started.
  static Context* current();

  Context();
  ~Context() override;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const platform::Limits& limits() const { return limits_; }
  BufferPool& buffers() { return *buffers_; }
  const BufferPool& buffers() const { return *buffers_; }
  ErrorFlag& errors() { return errors_; }

  /// Returns true once the device is lost. All buffers are lost with it.
  bool lost();
  /// Marks the device as lost.
  void lose(platform::DeviceLoss loss);
  /// Returns why the device was lost.
  const platform::DeviceLoss& loss() const { return loss_; }

  /// Returns the bytes of the buffers; nothing once the device is lost.
  DeviceMemoryUsage memory() const;
  void add_to(MemoryReport& report) const override;
  /// Destroys all free buffers.
  void trim() noexcept override;

  /// While prelinking, kernels only start to compile their pipelines and dispatch nothing.
  void set_prelinking(bool prelinking) { prelinking_ = prelinking; }
  bool prelinking() const { return prelinking_; }

  /// Returns the pipeline of `key`; compiles make(), its WGSL, if there is none.
  template <class Make>
  platform::ObjectHandle find_or_create_pipeline(std::string_view key, int inputs, Make make) {
    const auto found = pipelines_.find(key);
    if (found != pipelines_.end()) return found->second;
    return pipelines_.emplace(key, platform::create_pipeline(make(), inputs)).first->second;
  }
  std::size_t pipeline_count() const { return pipelines_.size(); }

  /// Records a dispatch. `words` are the parameters, at most kMaxParameters. `storages` are the inputs and
  /// then the output.
  void dispatch(platform::ObjectHandle pipeline, std::span<const std::int32_t> words,
                std::span<const platform::ObjectHandle> storages, const Workgroups& groups);
  /// Submits all recorded dispatches.
  void submit();
  /// Returns the number of the batch of commands that is being recorded, from 1 on.
  unsigned batch() const { return batch_; }
  /// Writes bytes to a buffer that was just taken from the pool. `bytes` is a multiple of 4.
  void write(const Buffer& buffer, const void* from, std::size_t bytes);
  /// Submits all recorded dispatches, and then a copy of the first `bytes` bytes, a multiple of 4.
  void copy(const Buffer& from, const Buffer& to, std::size_t bytes) { copy(from.id(), to, bytes); }
  void copy(platform::ObjectHandle from, const Buffer& to, std::size_t bytes);
  /// Submits all recorded dispatches and releases all bind groups, so that buffers can be destroyed.
  void forget_buffers();

 private:
  /// Buffers of a bind group, 0 behind the last: the parameters, the inputs, the output.
  using BoundBuffers = std::array<platform::ObjectHandle, 9>;

  platform::ObjectHandle find_bind_group(std::span<const platform::ObjectHandle> storages);
  void release_bind_groups();

  platform::Limits limits_;
  std::shared_ptr<BufferPool> buffers_;
  ErrorFlag errors_;
  std::map<std::string, platform::ObjectHandle, std::less<>> pipelines_;
  std::map<BoundBuffers, platform::ObjectHandle> bind_groups_;
  platform::ObjectHandle parameter_buffer_ = 0;
  /// The parameters of the recorded dispatches, each of which has as much room as a dispatch binds.
  std::unique_ptr<std::int32_t[]> parameters_;
  std::size_t recorded_ = 0;
  platform::DeviceLoss loss_;
  unsigned batch_ = 1;
  bool lost_ = false;
  bool prelinking_ = false;
};

/// Returns the current context. Throws Error(kContextLost) if there is none, or if it is lost.
Context& context();

}  // namespace tenure::webgpu
