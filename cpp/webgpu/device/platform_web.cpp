#ifdef __EMSCRIPTEN__

#include <algorithm>

#include "webgpu/device/platform.h"

// The functions of web/src/device/webgpu_calls.ts, by way of wasm/gpu_calls.js. Addresses and sizes are bytes
// of the engine's memory.
extern "C" {
void gpu_close();
double gpu_limit(int which);
std::uint32_t gpu_create_buffer(std::size_t bytes, int use);
void gpu_destroy_buffer(std::uint32_t buffer);
void gpu_forget_buffer(std::uint32_t buffer);
void gpu_copy_buffer(std::uint32_t from, std::uint32_t to, std::size_t bytes);
void gpu_write_buffer(std::uint32_t buffer, std::size_t offset, const void* from, std::size_t bytes);
std::uint32_t gpu_create_pipeline(const char* wgsl, std::size_t length, int inputs);
std::uint32_t gpu_create_bind_group(const std::uint32_t* buffers, std::size_t count);
void gpu_release(std::uint32_t group);
void gpu_dispatch(std::uint32_t pipeline, std::uint32_t group, std::size_t offset, int x, int y, int z);
void gpu_submit();
std::uint32_t gpu_start_read(std::uint32_t buffer, std::size_t bytes);
int gpu_read_state(std::uint32_t read);
bool gpu_finish_read(std::uint32_t read, void* to);
void gpu_end_read(std::uint32_t read);
int gpu_read_now(std::uint32_t buffer, void* to, std::size_t bytes);
}

namespace tenure::webgpu::platform {
namespace {

bool is_open = false;

constexpr double kMaxBytes = 4294967040;

/// The numbers of limits that gpu_limit() knows: kLimitNames in webgpu_types.ts, and features.
enum Limit : std::uint8_t {
  kBufferBytes,
  kBindingBytes,
  kStorageBuffers,
  kWorkgroupBytes,
  kInvocations,
  kSoftware,
  kSubgroups,
  kF16,
  kPackedDot
};

}  // namespace

bool open() {
  // JavaScript has opened the device before it starts the context.
  is_open = true;
  return true;
}

void close() {
  if (is_open) gpu_close();
  is_open = false;
}

// JavaScript calls Context::lose() between two tasks; in the middle of one a device cannot be seen to be
// lost.
bool is_lost() { return !is_open; }
DeviceLoss loss() { return {}; }

Limits limits() {
  return {
      // Sizes have 32 bits here.
      .max_buffer_bytes =
          static_cast<std::size_t>(std::min({gpu_limit(kBufferBytes), gpu_limit(kBindingBytes), kMaxBytes})),
      .max_storage_buffers = static_cast<int>(gpu_limit(kStorageBuffers)),
      .max_workgroup_bytes = static_cast<int>(gpu_limit(kWorkgroupBytes)),
      .max_invocations = static_cast<int>(gpu_limit(kInvocations)),
      .is_software = gpu_limit(kSoftware) != 0,
      .has_subgroups = gpu_limit(kSubgroups) != 0,
      .has_f16 = gpu_limit(kF16) != 0,
      .has_packed_dot = gpu_limit(kPackedDot) != 0,
  };
}

ObjectHandle create_buffer(std::size_t bytes, BufferUse use) {
  return gpu_create_buffer(bytes, static_cast<int>(use));
}
void destroy_buffer(ObjectHandle buffer) { gpu_destroy_buffer(buffer); }
void forget_buffer(ObjectHandle buffer) { gpu_forget_buffer(buffer); }
void copy_buffer(ObjectHandle from, ObjectHandle to, std::size_t bytes) { gpu_copy_buffer(from, to, bytes); }
void write_buffer(ObjectHandle buffer, std::size_t offset, const void* from, std::size_t bytes) {
  gpu_write_buffer(buffer, offset, from, bytes);
}

ObjectHandle create_pipeline(std::string_view wgsl, int inputs) {
  return gpu_create_pipeline(wgsl.data(), wgsl.size(), inputs);
}
ObjectHandle create_bind_group(std::span<const ObjectHandle> buffers) {
  return gpu_create_bind_group(buffers.data(), buffers.size());
}
void release_bind_group(ObjectHandle group) { gpu_release(group); }

void dispatch(ObjectHandle pipeline, ObjectHandle group, std::size_t offset, int x, int y, int z) {
  gpu_dispatch(pipeline, group, offset, x, y, z);
}
void submit() { gpu_submit(); }

ObjectHandle start_read(ObjectHandle buffer, std::size_t bytes) { return gpu_start_read(buffer, bytes); }
ReadState read_state(ObjectHandle read) { return static_cast<ReadState>(gpu_read_state(read)); }
bool finish_read(ObjectHandle read, void* to) { return gpu_finish_read(read, to); }
void end_read(ObjectHandle read) { gpu_end_read(read); }
SyncRead read_now(ObjectHandle buffer, void* to, std::size_t bytes) {
  return static_cast<SyncRead>(gpu_read_now(buffer, to, bytes));
}

}  // namespace tenure::webgpu::platform

#endif
