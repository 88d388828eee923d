// The WebGPU backend's exports: the device that JavaScript requests.

#include <emscripten/bind.h>

#include "core/run/backend_registry.h"
#include "core/run/kernel_observer.h"
#include "owner/ownership.h"
#include "wasm/call.h"
#include "webgpu/backend.h"
#include "webgpu/device/context.h"
#include "webgpu/device/device_memory.h"

namespace tenure::wasm {
namespace {

/// Handles the loss of the device, possibly for lack of memory. `reason` is the browser's text. Returns false
/// without a context.
bool webgpu_lose(const std::string& reason, bool out_of_memory) {
  webgpu::Context* context = webgpu::Context::current();
  if (context) context->lose({reason, out_of_memory});
  return context;
}

}  // namespace

/// Starts a context on the device of the module's `gpu`. Returns 1, 0 if it is no device, or -1 for an error.
TENURE_CALL int tn_start_webgpu() {
  return guarded([] {
    register_backend(webgpu::backend());
    return webgpu::Context::start() ? 1 : 0;
  });
}

/// Submits all recorded dispatches. Returns dispatch_count(), the number of the next one.
TENURE_CALL int tn_submit_webgpu() {
  unguarded([] {
    if (webgpu::Context* context = webgpu::Context::current(); context && !context->lost()) context->submit();
  });
  return static_cast<int>(dispatch_count());
}

/// Copies a tensor to a buffer that the program may use. Returns the handle of the buffer in the module's
/// `gpu`, with the copy described in the scratch, or -1 for an error.
TENURE_CALL int tn_share_buffer(double handle) {
  return guarded([&] {
    Tensor copy = webgpu::copy_to_shared_buffer(ownership().get(id_from(handle)));
    const auto buffer = static_cast<int>(webgpu::get_buffer(copy).id());
    export_result(std::move(copy));
    return buffer;
  });
}

/// Creates a tensor of the shape in the scratch from a buffer of the program, of `bytes` bytes and with the
/// flags `usage`, which has a handle in the module's `gpu`; with `copies` from a copy of its elements.
/// Returns 0, with the tensor described in the scratch, or -1 for an error.
TENURE_CALL int tn_adopt_buffer(std::uint32_t buffer, double bytes, int usage, int dtype, int rank,
                                int copies) {
  return guarded([&] {
    constexpr int kCopySource = 4;
    constexpr int kStorage = 0x80;
    const int needed = copies ? kCopySource : kCopySource | kStorage;
    check((usage & needed) == needed, "[tensor] a GPUBuffer needs the usage COPY_SRC",
          copies ? "" : " and, with zeroCopy, STORAGE");
    check(dtype >= 0 && dtype <= static_cast<int>(DType::kComplex64), "there is no dtype number ", dtype);
    check_shape(rank >= 0 && rank <= kMaxRank, "rank ", rank, " is higher than the highest supported, ",
                kMaxRank);
    const Shape shape(std::span<const std::int32_t>(scratch, static_cast<std::size_t>(rank)));
    shape.validate();
    return export_result(webgpu::tensor_of_buffer(buffer, static_cast<std::uint64_t>(bytes),
                                                  {shape, static_cast<DType>(dtype)}, copies != 0));
  });
}

EMSCRIPTEN_BINDINGS(webgpu) { emscripten::function("webgpuLose", &webgpu_lose); }

}  // namespace tenure::wasm
