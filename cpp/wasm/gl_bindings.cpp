// The GPU's exports: WebGL contexts that JavaScript creates, the choice of the backend, and asynchronous
// reads.

#include <emscripten/bind.h>

#include <map>

#include "core/memory/memory_tracked.h"
#include "core/run/dispatch.h"
#include "gl/backend.h"
#include "gl/device/context.h"
#include "owner/ownership.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

/// Reads in flight. A read keeps its tensor alive even if the handle is disposed meanwhile.
struct Reads final : MemoryTracked {
  std::map<int, Tensor> tensors;
  void add_to(MemoryReport& report) const override {
    for (const auto& [number, tensor] : tensors) report.add(MemoryPart::kPinned, tensor.storage().get());
  }
};

std::map<int, Tensor>& reads() {
  static Reads instance;
  return instance.tensors;
}

/// Starts a context. `context` is the number that GL.registerContext() returned for a WebGL2 context. Returns
/// false if it cannot compute.
bool gl_init(int context) {
  bool started = false;
  guarded([&] {
    started = gl::Context::start(context);
    return 0;
  });
  return started;
}

/// Handles the browser's context-lost event. gl_init() starts again once the context is restored.
void gl_lose() {
  if (gl::Context* context = gl::Context::current()) context->lose();
}

/// Sets the backend. Returns false for "webgl" without a context. Any other name selects the CPU, and returns
/// true for "wasm" only.
bool set_backend_by_name(const std::string& name) {
  if (name != "webgl") {
    set_backend(cpu_backend());
    return name == "wasm";
  }
  gl::Context* context = gl::Context::current();
  if (!context || context->lost()) return false;
  set_backend(gl::backend());
  return true;
}

}  // namespace

/// Starts an asynchronous read of a tensor. Returns the read's number, or -1.
TENURE_CALL int tn_start_read(double handle) {
  return guarded([&] {
    static int last = 0;
    const Tensor& tensor = ownership().get(id_from(handle));
    tensor.storage()->start_read();
    reads().emplace(++last, tensor);
    return last;
  });
}

/// Returns 1 if the read's bytes are available or lost, else 0.
TENURE_CALL int tn_poll_read(int read) {
  return guarded([&] { return reads().at(read).storage()->is_read_ready() ? 1 : 0; });
}

/// Returns the address of the elements, with their number of bytes in the scratch. They are valid until
/// tn_end_read().
TENURE_CALL int tn_finish_read(int read) {
  return guarded([&] {
    const Tensor& tensor = reads().at(read);
    scratch[0] = static_cast<std::int32_t>(tensor.bytes());
    return static_cast<int>(reinterpret_cast<std::intptr_t>(tensor.data<std::uint8_t>()));
  });
}
TENURE_CALL void tn_end_read(int read) {
  unguarded([&] { reads().erase(read); });
}

/// Returns 1 if the tensor's bytes are only on the device, so that reading them waits, else 0.
TENURE_CALL int tn_on_device(double handle) {
  return guarded([&] { return ownership().get(id_from(handle)).storage()->only_on_device() ? 1 : 0; });
}

EMSCRIPTEN_BINDINGS(gl) {
  emscripten::function("glInit", &gl_init);
  emscripten::function("glStop", &gl::Context::stop);
  emscripten::function("glPreferHalf", &gl::Context::prefer_half);
  emscripten::function("glLose", &gl_lose);
  emscripten::function("setBackend", &set_backend_by_name);
  emscripten::function("setLeastForDevice", &set_min_elements_for_device);
  emscripten::function("leastForDevice", &min_elements_for_device);
}

}  // namespace tenure::wasm
