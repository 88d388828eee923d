// The WebGPU backend's exports: the device that JavaScript requests.

#include <emscripten/bind.h>

#include "core/run/backend_registry.h"
#include "wasm/call.h"
#include "webgpu/backend.h"
#include "webgpu/device/context.h"

namespace tenure::wasm {
namespace {

/// Handles the loss of the device. `reason` is what the browser says of it. Returns false without a context.
bool webgpu_lose(const std::string& reason) {
  webgpu::Context* context = webgpu::Context::current();
  if (context) context->lose(reason);
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

EMSCRIPTEN_BINDINGS(webgpu) { emscripten::function("webgpuLose", &webgpu_lose); }

}  // namespace tenure::wasm
