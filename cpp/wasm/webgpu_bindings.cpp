// The WebGPU backend's exports: the device that JavaScript requests.

#include <emscripten/bind.h>

#include "core/run/backend_registry.h"
#include "wasm/call.h"
#include "webgpu/backend.h"
#include "webgpu/device/context.h"

namespace tenure::wasm {
namespace {

/// Starts a context on the device that gpu_open() of JavaScript finds. Returns false if it finds none.
bool webgpu_init() {
  bool started = false;
  guarded([&] {
    register_backend(webgpu::backend());
    started = webgpu::Context::start();
    return 0;
  });
  return started;
}

/// Handles the loss of the device. `reason` is what the browser says of it. Returns false without a context.
bool webgpu_lose(const std::string& reason) {
  webgpu::Context* context = webgpu::Context::current();
  if (context) context->lose(reason);
  return context;
}

}  // namespace

EMSCRIPTEN_BINDINGS(webgpu) {
  emscripten::function("webgpuInit", &webgpu_init);
  emscripten::function("webgpuLose", &webgpu_lose);
}

}  // namespace tenure::wasm
