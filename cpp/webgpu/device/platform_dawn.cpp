#ifndef __EMSCRIPTEN__

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/text.h"
#include "webgpu/device/dawn.h"
#include "webgpu/device/platform.h"

namespace tenure::webgpu::platform {
namespace {

using namespace dawn;

/// The functions of Dawn's library.
struct Library {
#define FN(name, type) std::add_pointer_t<type> name = nullptr;
  TENURE_DAWN_FUNCTIONS(FN)
#undef FN
  /// Looks up all functions. Returns false if one is missing.
  bool load(void* library) {
    bool has_all = true;
#define FN(name, type)                                                   \
  name = reinterpret_cast<decltype(name)>(dlsym(library, "wgpu" #name)); \
  has_all &= name != nullptr;
    TENURE_DAWN_FUNCTIONS(FN)
#undef FN
    return has_all;
  }
};

std::string to_string(StringView text) {
  if (!text.data) return {};
  return {text.data, text.length == std::string::npos ? std::strlen(text.data) : text.length};
}

/// A read in progress: a buffer that is being mapped.
struct Read {
  Object buffer = nullptr;
  std::size_t bytes = 0;
  ReadState state = ReadState::kPending;
};

/// The open device.
struct Device {
  explicit Device(const Library& library) : wgpu(library) {}
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  const Library& wgpu;
  Object instance = nullptr;
  Object device = nullptr;
  Object queue = nullptr;
  Object encoder = nullptr;
  Object pass = nullptr;
  Limits limits;
  bool lost = false;
  DeviceLoss loss;
  ObjectHandle last = 0;
  std::map<ObjectHandle, Object> buffers, pipelines, groups;
  std::map<ObjectHandle, std::unique_ptr<Read>> reads;
  /// Layouts of bind groups by the number of their inputs.
  std::map<int, Object> layouts;

  void lose(StringView message, bool out_of_memory = false) {
    if (lost) return;
    lost = true;
    loss.out_of_memory = out_of_memory;
    loss.reason = to_string(message);
  }
  ObjectHandle add(std::map<ObjectHandle, Object>& objects, Object object) {
    if (!object) return 0;
    objects.emplace(++last, object);
    return last;
  }
  Object open_encoder() {
    if (!encoder) encoder = wgpu.DeviceCreateCommandEncoder(device, nullptr);
    return encoder;
  }
  Object open_pass() {
    if (!pass) pass = wgpu.CommandEncoderBeginComputePass(open_encoder(), nullptr);
    return pass;
  }
  void close_pass() {
    if (!pass) return;
    wgpu.ComputePassEncoderEnd(pass);
    wgpu.ComputePassEncoderRelease(std::exchange(pass, nullptr));
  }
  Object get_layout(int inputs);
};

std::unique_ptr<Device>& current() {
  static std::unique_ptr<Device> device;
  return device;
}

/// Loads the library that the environment variable TENURE_DAWN names, after the one that TENURE_VULKAN names,
/// which Dawn then finds by its name. The libraries stay loaded.
const Library* load_library() {
  static const auto kLibrary = [] {
    const auto open_named = [](const char* variable) {
      const char* path = std::getenv(variable);
      return path && *path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : nullptr;
    };
    auto library = std::make_unique<Library>();
    open_named("TENURE_VULKAN");
    void* const dawn = open_named("TENURE_DAWN");
    // A device that is open when the program ends is left to the system: SwiftShader's threads crash while
    // the objects of its library are destroyed.
    std::atexit([] { [[maybe_unused]] static const Device* const kLeft = current().release(); });
    return dawn && library->load(dawn) ? std::move(library) : nullptr;
  }();
  return kLibrary.get();
}

Object Device::get_layout(int inputs) {
  Object& layout = layouts[inputs];
  if (layout) return layout;
  std::vector<BindGroupLayoutEntry> entries(static_cast<std::size_t>(inputs) + 2);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    BindGroupLayoutEntry& entry = entries[i];
    entry.binding = static_cast<std::uint32_t>(i);
    entry.visibility = kComputeStage;
    entry.buffer.type = i == 0                    ? kUniformBinding
                        : i + 1 == entries.size() ? kStorageBinding
                                                  : kReadOnlyStorageBinding;
    entry.buffer.has_dynamic_offset = i == 0;
  }
  const BindGroupLayoutDescriptor descriptor{nullptr, {}, entries.size(), entries.data()};
  layout = wgpu.DeviceCreateBindGroupLayout(device, &descriptor);
  return layout;
}

Device::~Device() {
  close_pass();
  if (encoder) wgpu.CommandEncoderRelease(encoder);
  for (const auto& [handle, read] : reads) wgpu.BufferRelease(read->buffer);
  for (const auto& [handle, group] : groups) wgpu.BindGroupRelease(group);
  for (const auto& [handle, pipeline] : pipelines) wgpu.ComputePipelineRelease(pipeline);
  for (const auto& [inputs, layout] : layouts) wgpu.BindGroupLayoutRelease(layout);
  for (const auto& [handle, buffer] : buffers) wgpu.BufferRelease(buffer);
  if (queue) wgpu.QueueRelease(queue);
  if (device) {
    wgpu.DeviceDestroy(device);
    // Callbacks refer to this object.
    wgpu.InstanceProcessEvents(instance);
    wgpu.DeviceRelease(device);
  }
  if (instance) wgpu.InstanceRelease(instance);
}

/// Result of a request for an adapter or a device.
struct Request {
  bool done = false;
  Object object = nullptr;
};

void on_object(std::uint32_t status, Object object, StringView /*message*/, void* request, void* /*unused*/) {
  *static_cast<Request*>(request) = {true, status == kSuccess ? object : nullptr};
}

void on_lost(const Object* /*device*/, std::uint32_t /*reason*/, StringView message, void* device,
             void* /*unused*/) {
  static_cast<Device*>(device)->lose(message);
}

void on_error(const Object* /*device*/, std::uint32_t type, StringView message, void* device,
              void* /*unused*/) {
  static_cast<Device*>(device)->lose(message, type == kErrorOutOfMemory);
}

void on_mapped(std::uint32_t status, StringView /*message*/, void* read, void* /*unused*/) {
  static_cast<Read*>(read)->state = status == kSuccess ? ReadState::kReady : ReadState::kFailed;
}

Object await(const Library& wgpu, Object instance, const Request& request) {
  while (!request.done) wgpu.InstanceProcessEvents(instance);
  return request.object;
}

Object request_adapter(const Library& wgpu, Object instance) {
  Request request;
  wgpu.InstanceRequestAdapter(
      instance, nullptr,
      {nullptr, kAllowProcessEvents, reinterpret_cast<void*>(on_object), &request, nullptr});
  return await(wgpu, instance, request);
}

Object request_device(Device& to, Object adapter, const DeviceLimits& limits,
                      std::span<const std::uint32_t> features) {
  Request request;
  DeviceDescriptor descriptor{};
  descriptor.feature_count = features.size();
  descriptor.features = features.data();
  descriptor.limits = &limits;
  descriptor.lost = {nullptr, kAllowProcessEvents, reinterpret_cast<void*>(on_lost), &to, nullptr};
  descriptor.error = {nullptr, reinterpret_cast<void*>(on_error), &to, nullptr};
  to.wgpu.AdapterRequestDevice(
      adapter, &descriptor,
      {nullptr, kAllowProcessEvents, reinterpret_cast<void*>(on_object), &request, nullptr});
  return await(to.wgpu, to.instance, request);
}

Object create(Device& gpu, std::size_t bytes, std::uint64_t usage) {
  const BufferDescriptor descriptor{nullptr, {}, usage, bytes, 0};
  return gpu.wgpu.DeviceCreateBuffer(gpu.device, &descriptor);
}

}  // namespace

bool open() {
  close();
  const Library* const wgpu = load_library();
  if (!wgpu) return false;
  auto opened = std::make_unique<Device>(*wgpu);
  opened->instance = wgpu->CreateInstance(nullptr);
  const Object adapter = request_adapter(*wgpu, opened->instance);
  if (!adapter) return false;
  DeviceLimits limits{};
  AdapterInfo info{};
  wgpu->AdapterGetLimits(adapter, &limits);
  wgpu->AdapterGetInfo(adapter, &info);
  opened->limits.adapter = to_string(info.device);
  if (const std::string description = to_string(info.description); !description.empty())
    opened->limits.adapter += text(" (", description, ")");
  wgpu->AdapterInfoFreeMembers(info);
  std::vector<std::uint32_t> features;
  for (const std::uint32_t feature : {kFeatureSubgroups, kFeatureF16}) {
    if (wgpu->AdapterHasFeature(adapter, feature)) features.push_back(feature);
  }
  opened->device = request_device(*opened, adapter, limits, features);
  wgpu->AdapterRelease(adapter);
  if (!opened->device) return false;
  opened->queue = wgpu->DeviceGetQueue(opened->device);
  const auto has = [&](std::uint32_t feature) {
    return std::find(features.begin(), features.end(), feature) != features.end();
  };
  opened->limits = {
      .max_buffer_bytes = std::min(limits.max_storage_buffer_binding_size, limits.max_buffer_size),
      .max_storage_buffers = static_cast<int>(limits.max_storage_buffers),
      .max_workgroup_bytes = static_cast<int>(limits.max_workgroup_storage_size),
      .max_invocations = static_cast<int>(limits.max_invocations_per_workgroup),
      .is_software = info.adapter_type == kCpuAdapter,
      .has_subgroups = has(kFeatureSubgroups),
      .has_f16 = has(kFeatureF16),
      .has_packed_dot = wgpu->InstanceHasWGSLLanguageFeature(opened->instance, kPackedDotFeature) != 0,
      .adapter = std::move(opened->limits.adapter),
  };
  current() = std::move(opened);
  return true;
}

void close() { current().reset(); }

bool is_lost() { return !current() || current()->lost; }

DeviceLoss loss() { return current() ? current()->loss : DeviceLoss(); }

Limits limits() { return current()->limits; }

ObjectHandle create_buffer(std::size_t bytes, BufferUse use) {
  Device& gpu = *current();
  const std::uint64_t usage = use == BufferUse::kParameters ? kUniform
                              : use == BufferUse::kShared   ? kStorage | kVertex
                                                            : kStorage;
  return gpu.add(gpu.buffers, create(gpu, bytes, usage | kCopySource | kCopyTarget));
}

void destroy_buffer(ObjectHandle buffer) {
  Device& gpu = *current();
  const auto found = gpu.buffers.find(buffer);
  gpu.wgpu.BufferDestroy(found->second);
  gpu.wgpu.BufferRelease(found->second);
  gpu.buffers.erase(found);
}

void forget_buffer(ObjectHandle buffer) {
  Device& gpu = *current();
  const auto found = gpu.buffers.find(buffer);
  gpu.wgpu.BufferRelease(found->second);
  gpu.buffers.erase(found);
}

void write_buffer(ObjectHandle buffer, std::size_t offset, const void* from, std::size_t bytes) {
  Device& gpu = *current();
  gpu.wgpu.QueueWriteBuffer(gpu.queue, gpu.buffers.at(buffer), offset, from, bytes);
}

void copy_buffer(ObjectHandle from, ObjectHandle to, std::size_t bytes) {
  Device& gpu = *current();
  gpu.close_pass();
  gpu.wgpu.CommandEncoderCopyBufferToBuffer(gpu.open_encoder(), gpu.buffers.at(from), 0, gpu.buffers.at(to),
                                            0, bytes);
  submit();
}

ObjectHandle create_pipeline(std::string_view wgsl, int inputs) {
  Device& gpu = *current();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): the size follows
  const ShaderSourceWgsl source{{nullptr, kSourceWgsl}, {wgsl.data(), wgsl.size()}};
  const ShaderModuleDescriptor module_descriptor{&source.chain, {}};
  const Object layout = gpu.get_layout(inputs);
  const PipelineLayoutDescriptor layout_descriptor{nullptr, {}, 1, &layout, 0};
  const Object module = gpu.wgpu.DeviceCreateShaderModule(gpu.device, &module_descriptor);
  const Object pipeline_layout = gpu.wgpu.DeviceCreatePipelineLayout(gpu.device, &layout_descriptor);
  const ComputePipelineDescriptor descriptor{
      nullptr, {}, pipeline_layout, {nullptr, module, {"main", 4}, 0, nullptr}};
  const Object pipeline = gpu.wgpu.DeviceCreateComputePipeline(gpu.device, &descriptor);
  gpu.wgpu.PipelineLayoutRelease(pipeline_layout);
  gpu.wgpu.ShaderModuleRelease(module);
  return gpu.add(gpu.pipelines, pipeline);
}

ObjectHandle create_bind_group(std::span<const ObjectHandle> buffers) {
  Device& gpu = *current();
  constexpr std::uint64_t kWholeSize = ~std::uint64_t{0};
  constexpr std::uint64_t kParameterBytes = 256;
  std::vector<BindGroupEntry> entries(buffers.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i] = {nullptr, static_cast<std::uint32_t>(i),         gpu.buffers.at(buffers[i]),
                  0,       i == 0 ? kParameterBytes : kWholeSize, nullptr,
                  nullptr};
  }
  const BindGroupDescriptor descriptor{
      nullptr, {}, gpu.get_layout(static_cast<int>(buffers.size()) - 2), entries.size(), entries.data()};
  return gpu.add(gpu.groups, gpu.wgpu.DeviceCreateBindGroup(gpu.device, &descriptor));
}

void release_bind_group(ObjectHandle group) {
  Device& gpu = *current();
  const auto found = gpu.groups.find(group);
  gpu.wgpu.BindGroupRelease(found->second);
  gpu.groups.erase(found);
}

void dispatch(ObjectHandle pipeline, ObjectHandle group, std::size_t offset, int x, int y, int z) {
  Device& gpu = *current();
  const auto dynamic_offset = static_cast<std::uint32_t>(offset);
  const Object pass = gpu.open_pass();
  gpu.wgpu.ComputePassEncoderSetPipeline(pass, gpu.pipelines.at(pipeline));
  gpu.wgpu.ComputePassEncoderSetBindGroup(pass, 0, gpu.groups.at(group), 1, &dynamic_offset);
  gpu.wgpu.ComputePassEncoderDispatchWorkgroups(pass, static_cast<std::uint32_t>(x),
                                                static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z));
}

void submit() {
  Device& gpu = *current();
  gpu.close_pass();
  if (!gpu.encoder) return;
  const Object commands = gpu.wgpu.CommandEncoderFinish(gpu.encoder, nullptr);
  gpu.wgpu.CommandEncoderRelease(std::exchange(gpu.encoder, nullptr));
  gpu.wgpu.QueueSubmit(gpu.queue, 1, &commands);
  gpu.wgpu.CommandBufferRelease(commands);
  gpu.wgpu.InstanceProcessEvents(gpu.instance);
}

ObjectHandle start_read(ObjectHandle buffer, std::size_t bytes) {
  Device& gpu = *current();
  auto read = std::make_unique<Read>(Read{create(gpu, bytes, kMapRead | kCopyTarget), bytes});
  gpu.close_pass();
  gpu.wgpu.CommandEncoderCopyBufferToBuffer(gpu.open_encoder(), gpu.buffers.at(buffer), 0, read->buffer, 0,
                                            bytes);
  submit();
  gpu.wgpu.BufferMapAsync(
      read->buffer, kMapRead, 0, bytes,
      {nullptr, kAllowProcessEvents, reinterpret_cast<void*>(on_mapped), read.get(), nullptr});
  gpu.reads.emplace(++gpu.last, std::move(read));
  return gpu.last;
}

ReadState read_state(ObjectHandle read) {
  Device& gpu = *current();
  gpu.wgpu.InstanceProcessEvents(gpu.instance);
  return gpu.lost ? ReadState::kFailed : gpu.reads.at(read)->state;
}

bool finish_read(ObjectHandle read, void* to) {
  Device& gpu = *current();
  const Read& mapped = *gpu.reads.at(read);
  const void* bytes = gpu.wgpu.BufferGetConstMappedRange(mapped.buffer, 0, mapped.bytes);
  if (bytes) std::memcpy(to, bytes, mapped.bytes);
  return bytes;
}

void end_read(ObjectHandle read) {
  Device& gpu = *current();
  const auto found = gpu.reads.find(read);
  gpu.wgpu.BufferDestroy(found->second->buffer);
  // A read that is pending fails now, and its callback refers to it.
  while (found->second->state == ReadState::kPending) gpu.wgpu.InstanceProcessEvents(gpu.instance);
  gpu.wgpu.BufferRelease(found->second->buffer);
  gpu.reads.erase(found);
}

SyncRead read_now(ObjectHandle buffer, void* to, std::size_t bytes) {
  const ObjectHandle read = start_read(buffer, bytes);
  ReadState state = ReadState::kPending;
  while (state == ReadState::kPending) state = read_state(read);
  const bool is_done = state == ReadState::kReady && finish_read(read, to);
  end_read(read);
  return is_done ? SyncRead::kDone : SyncRead::kFailed;
}

}  // namespace tenure::webgpu::platform

#endif
