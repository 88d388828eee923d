#pragma once

#include <cstddef>
#include <cstdint>

/// The part of WebGPU's C API (webgpu.h) that platform_dawn.cpp uses, in Dawn's binary interface. Declared
/// here, as the packages that ship Dawn as a library ship no header.
namespace tenure::webgpu::dawn {

// NOLINTBEGIN(readability-identifier-naming)
using Object = void*;
using Bool = std::uint32_t;

struct StringView {
  const char* data;
  std::size_t length;
};
struct ChainedStruct {
  const ChainedStruct* next;
  std::uint32_t type;
};
struct Future {
  std::uint64_t id;
};
struct CallbackInfo {
  const ChainedStruct* next;
  std::uint32_t mode;
  void* callback;
  void* first;
  void* second;
};
struct ErrorCallbackInfo {
  const ChainedStruct* next;
  void* callback;
  void* first;
  void* second;
};
struct DeviceLimits {
  ChainedStruct* next;
  std::uint32_t textures[4];
  std::uint32_t max_bind_groups;
  std::uint32_t max_bind_groups_plus_vertex_buffers;
  std::uint32_t max_bindings_per_bind_group;
  std::uint32_t max_dynamic_uniform_buffers;
  std::uint32_t max_dynamic_storage_buffers;
  std::uint32_t max_sampled_textures;
  std::uint32_t max_samplers;
  std::uint32_t max_storage_buffers;
  std::uint32_t max_storage_textures;
  std::uint32_t max_uniform_buffers;
  std::uint64_t max_uniform_buffer_binding_size;
  std::uint64_t max_storage_buffer_binding_size;
  std::uint32_t min_uniform_buffer_offset_alignment;
  std::uint32_t min_storage_buffer_offset_alignment;
  std::uint32_t max_vertex_buffers;
  std::uint64_t max_buffer_size;
  std::uint32_t vertices_and_colors[5];
  std::uint32_t max_workgroup_storage_size;
  std::uint32_t max_invocations_per_workgroup;
  std::uint32_t max_workgroup_size[3];
  std::uint32_t max_workgroups_per_dimension;
  // Limits that later versions added, which only travel from the adapter to the device.
  std::uint32_t others[16];
};
struct AdapterInfo {
  ChainedStruct* next;
  StringView vendor;
  StringView architecture;
  StringView device;
  StringView description;
  std::uint32_t backend_type;
  std::uint32_t adapter_type;
  std::uint32_t others[6];
};
struct QueueDescriptor {
  const ChainedStruct* next;
  StringView label;
};
struct DeviceDescriptor {
  const ChainedStruct* next;
  StringView label;
  std::size_t feature_count;
  const std::uint32_t* features;
  const DeviceLimits* limits;
  QueueDescriptor queue;
  CallbackInfo lost;
  ErrorCallbackInfo error;
};
struct BufferDescriptor {
  const ChainedStruct* next;
  StringView label;
  std::uint64_t usage;
  std::uint64_t size;
  Bool mapped_at_creation;
};
struct ShaderSourceWgsl {
  ChainedStruct chain;
  StringView code;
};
struct ShaderModuleDescriptor {
  const ChainedStruct* next;
  StringView label;
};
struct ComputeState {
  const ChainedStruct* next;
  Object module;
  StringView entry_point;
  std::size_t constant_count;
  const void* constants;
};
struct ComputePipelineDescriptor {
  const ChainedStruct* next;
  StringView label;
  Object layout;
  ComputeState compute;
};
struct BindGroupLayoutEntry {
  const ChainedStruct* next;
  std::uint32_t binding;
  std::uint64_t visibility;
  std::uint32_t array_size;
  struct {
    const ChainedStruct* next;
    std::uint32_t type;
    Bool has_dynamic_offset;
    std::uint64_t min_size;
  } buffer;
  struct {
    const ChainedStruct* next;
    std::uint32_t type;
  } sampler;
  struct {
    const ChainedStruct* next;
    std::uint32_t sample_type;
    std::uint32_t dimension;
    Bool multisampled;
  } texture;
  struct {
    const ChainedStruct* next;
    std::uint32_t access;
    std::uint32_t format;
    std::uint32_t dimension;
  } storage_texture;
};
struct BindGroupLayoutDescriptor {
  const ChainedStruct* next;
  StringView label;
  std::size_t entry_count;
  const BindGroupLayoutEntry* entries;
};
struct PipelineLayoutDescriptor {
  const ChainedStruct* next;
  StringView label;
  std::size_t layout_count;
  const Object* layouts;
  std::uint32_t immediate_size;
};
struct BindGroupEntry {
  const ChainedStruct* next;
  std::uint32_t binding;
  Object buffer;
  std::uint64_t offset;
  std::uint64_t size;
  Object sampler;
  Object view;
};
struct BindGroupDescriptor {
  const ChainedStruct* next;
  StringView label;
  Object layout;
  std::size_t entry_count;
  const BindGroupEntry* entries;
};

constexpr std::uint32_t kSourceWgsl = 2;
constexpr std::uint32_t kAllowProcessEvents = 2;
constexpr std::uint32_t kSuccess = 1;
constexpr std::uint32_t kCpuAdapter = 3;
constexpr std::uint32_t kErrorOutOfMemory = 3;
constexpr std::uint32_t kFeatureF16 = 10;
constexpr std::uint32_t kFeatureSubgroups = 17;
constexpr std::uint32_t kPackedDotFeature = 2;
constexpr std::uint32_t kUniformBinding = 2;
constexpr std::uint32_t kStorageBinding = 3;
constexpr std::uint32_t kReadOnlyStorageBinding = 4;
constexpr std::uint64_t kComputeStage = 4;
constexpr std::uint64_t kMapRead = 1;
constexpr std::uint64_t kCopySource = 4;
constexpr std::uint64_t kCopyTarget = 8;
constexpr std::uint64_t kVertex = 0x20;
constexpr std::uint64_t kUniform = 0x40;
constexpr std::uint64_t kStorage = 0x80;

/// The functions that are looked up in the library: the name without its prefix, and the type.
#define TENURE_DAWN_FUNCTIONS(FN)                                                                            \
  FN(CreateInstance, Object(const void*))                                                                    \
  FN(InstanceRequestAdapter, Future(Object, const void*, CallbackInfo))                                      \
  FN(InstanceHasWGSLLanguageFeature, Bool(Object, std::uint32_t))                                            \
  FN(InstanceProcessEvents, void(Object))                                                                    \
  FN(InstanceRelease, void(Object))                                                                          \
  FN(AdapterRequestDevice, Future(Object, const DeviceDescriptor*, CallbackInfo))                            \
  FN(AdapterGetLimits, std::uint32_t(Object, DeviceLimits*))                                                 \
  FN(AdapterGetInfo, std::uint32_t(Object, AdapterInfo*))                                                    \
  FN(AdapterInfoFreeMembers, void(AdapterInfo))                                                              \
  FN(AdapterHasFeature, Bool(Object, std::uint32_t))                                                         \
  FN(AdapterRelease, void(Object))                                                                           \
  FN(DeviceGetQueue, Object(Object))                                                                         \
  FN(DeviceCreateBuffer, Object(Object, const BufferDescriptor*))                                            \
  FN(DeviceCreateShaderModule, Object(Object, const ShaderModuleDescriptor*))                                \
  FN(DeviceCreateComputePipeline, Object(Object, const ComputePipelineDescriptor*))                          \
  FN(DeviceCreateBindGroupLayout, Object(Object, const BindGroupLayoutDescriptor*))                          \
  FN(DeviceCreatePipelineLayout, Object(Object, const PipelineLayoutDescriptor*))                            \
  FN(DeviceCreateBindGroup, Object(Object, const BindGroupDescriptor*))                                      \
  FN(DeviceCreateCommandEncoder, Object(Object, const void*))                                                \
  FN(DeviceDestroy, void(Object))                                                                            \
  FN(DeviceRelease, void(Object))                                                                            \
  FN(CommandEncoderBeginComputePass, Object(Object, const void*))                                            \
  FN(CommandEncoderCopyBufferToBuffer,                                                                       \
     void(Object, Object, std::uint64_t, Object, std::uint64_t, std::uint64_t))                              \
  FN(CommandEncoderFinish, Object(Object, const void*))                                                      \
  FN(CommandEncoderRelease, void(Object))                                                                    \
  FN(CommandBufferRelease, void(Object))                                                                     \
  FN(ComputePassEncoderSetPipeline, void(Object, Object))                                                    \
  FN(ComputePassEncoderSetBindGroup, void(Object, std::uint32_t, Object, std::size_t, const std::uint32_t*)) \
  FN(ComputePassEncoderDispatchWorkgroups, void(Object, std::uint32_t, std::uint32_t, std::uint32_t))        \
  FN(ComputePassEncoderEnd, void(Object))                                                                    \
  FN(ComputePassEncoderRelease, void(Object))                                                                \
  FN(QueueSubmit, void(Object, std::size_t, const Object*))                                                  \
  FN(QueueWriteBuffer, void(Object, Object, std::uint64_t, const void*, std::size_t))                        \
  FN(QueueRelease, void(Object))                                                                             \
  FN(BufferMapAsync, Future(Object, std::uint64_t, std::size_t, std::size_t, CallbackInfo))                  \
  FN(BufferGetConstMappedRange, const void*(Object, std::size_t, std::size_t))                               \
  FN(BufferDestroy, void(Object))                                                                            \
  FN(BufferRelease, void(Object))                                                                            \
  FN(BindGroupRelease, void(Object))                                                                         \
  FN(BindGroupLayoutRelease, void(Object))                                                                   \
  FN(PipelineLayoutRelease, void(Object))                                                                    \
  FN(ShaderModuleRelease, void(Object))                                                                      \
  FN(ComputePipelineRelease, void(Object))
// NOLINTEND(readability-identifier-naming)

}  // namespace tenure::webgpu::dawn
