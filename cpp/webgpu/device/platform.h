#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// The WebGPU device of the system, through integer handles: in a browser or in Node functions of JavaScript
/// (platform_web.cpp), natively Dawn's C API (platform_dawn.cpp). There is at most one device at a time.
/// Commands are recorded into one open encoder, with one compute pass, until submit(). No function throws.
/// WebGPU reports what it refuses, such as a buffer for which there is no memory, later than it ignores the
/// commands that use it, so that an error of any kind is a loss of the device here: no value computed since
/// can be trusted.
namespace tenure::webgpu::platform {

/// Number of a buffer, pipeline, bind group or read; 0 for none. Valid until its release, or until close().
using ObjectHandle = std::uint32_t;

/// Limits and features of a device, as requested from its adapter.
struct Limits {
  /// Bytes of the largest buffer that a kernel can bind.
  std::size_t max_buffer_bytes = 0;
  /// Number of storage buffers that a kernel can bind.
  int max_storage_buffers = 0;
  /// Bytes of workgroup memory.
  int max_workgroup_bytes = 0;
  /// Number of invocations in a workgroup.
  int max_invocations = 0;
  /// True if the adapter is a software renderer.
  bool is_software = false;
  /// True if shaders may use subgroups.
  bool has_subgroups = false;
  /// True if shaders may use f16.
  bool has_f16 = false;
  /// True if shaders may use dot4I8Packed() and the other functions of packed_4x8_integer_dot_product.
  bool has_packed_dot = false;
  /// The adapter's own description; empty in a browser.
  std::string adapter{};
};

/// Purpose of a buffer.
enum class BufferUse : std::uint8_t {
  kStorage,     ///< elements of a tensor
  kParameters,  ///< uniforms of dispatches
  kShared,      ///< elements of a tensor, which the program may bind as vertices too
};

/// Opens the device. Returns false if there is none.
bool open();
/// Destroys the device and everything that was made on it.
void close();
/// True if the device was lost, or never opened.
bool is_lost();
/// Cause of the loss of a device.
struct DeviceLoss {
  /// Message of the device or the platform; may be empty.
  std::string reason;
  /// True if there was no memory for a buffer.
  bool out_of_memory = false;
};
/// Returns why the device was lost, if it is lost.
DeviceLoss loss();
Limits limits();

/// Creates a buffer, whose elements are zero. `bytes` is a multiple of 16.
ObjectHandle create_buffer(std::size_t bytes, BufferUse use);
/// Destroys a buffer that no recorded command uses.
void destroy_buffer(ObjectHandle buffer);
/// Gives up the handle of a buffer that the program created, which is not destroyed.
void forget_buffer(ObjectHandle buffer);
/// Writes to a buffer before the commands that are submitted later. `bytes` is a multiple of 4.
void write_buffer(ObjectHandle buffer, std::size_t offset, const void* from, std::size_t bytes);

/// Submits all recorded commands, and then a copy of the first `bytes` bytes, a multiple of 4.
void copy_buffer(ObjectHandle from, ObjectHandle to, std::size_t bytes);

/// Starts to compile a kernel, whose entry point is main(). Its bind group 0 has a uniform buffer with a
/// dynamic offset at binding 0, `inputs` read-only storage buffers from binding 1 on, and then one storage
/// buffer to write to.
ObjectHandle create_pipeline(std::string_view wgsl, int inputs);
/// Creates a bind group of the buffers in the order of create_pipeline(): uniforms, inputs, output.
ObjectHandle create_bind_group(std::span<const ObjectHandle> buffers);
void release_bind_group(ObjectHandle group);

/// Records a dispatch of `x` * `y` * `z` workgroups, each at most 65535. `offset` is that of the uniforms, a
/// multiple of 256.
void dispatch(ObjectHandle pipeline, ObjectHandle group, std::size_t offset, int x, int y, int z);
/// Submits all recorded commands.
void submit();

/// State of an asynchronous read.
enum class ReadState : std::uint8_t { kPending, kReady, kFailed };
/// Submits all recorded commands and starts to read the first `bytes` bytes of a buffer, a multiple of 4.
ObjectHandle start_read(ObjectHandle buffer, std::size_t bytes);
ReadState read_state(ObjectHandle read);
/// Copies the bytes of a read that is ready to `to`. Returns false if the device was lost meanwhile.
bool finish_read(ObjectHandle read, void* to);
/// Ends a read, whatever its state.
void end_read(ObjectHandle read);

/// Result of read_now().
enum class SyncRead : std::uint8_t {
  kDone,
  kUnavailable,  ///< the platform cannot wait for the device
  kAltered,      ///< the browser alters what is read from canvases, against fingerprinting
  kFailed,       ///< the device was lost
};
/// Submits all recorded commands, waits, and copies the first `bytes` bytes of a buffer, a multiple of 4, to
/// `to`.
SyncRead read_now(ObjectHandle buffer, void* to, std::size_t bytes);

}  // namespace tenure::webgpu::platform
