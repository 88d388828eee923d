// The GPU, as JavaScript sees it: the context that it made, the backend that it chose, and reads that do not
// wait.

#include <emscripten/bind.h>

#include <map>

#include "core/memory/memory_user.h"
#include "core/run/dispatch.h"
#include "gl/backend.h"
#include "gl/device/context.h"
#include "gl/device/read.h"
#include "owner/ownership.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

/// Tensors whose bytes are on their way; a read pins what it reads, whoever disposes of the handle meanwhile.
struct Reads final : MemoryUser {
  std::map<int, Tensor> tensors;
  void add_to(Account& account) const override {
    for (const auto& [number, tensor] : tensors) account.add(MemoryPart::kPinned, tensor.storage().get());
  }
};

std::map<int, Tensor>& reads() {
  static Reads instance;
  return instance.tensors;
}

/// `context` is what GL.registerContext() gave for a WebGL2 context; false when it cannot compute.
bool gl_init(int context) {
  bool started = false;
  guarded([&] {
    started = gl::Context::start(context);
    return 0;
  });
  return started;
}

/// What the platform's event of a lost context calls; gl_init() begins anew when it is restored.
void gl_lose() {
  if (gl::Context* context = gl::Context::current()) context->lose();
}

/// False for "webgl" without a context.
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

/// Begins to fetch a tensor; gives the read's number, or -1.
TENURE_CALL int tn_start_read(double handle) {
  return guarded([&] {
    static int last = 0;
    const Tensor& tensor = ownership().get(id_from(handle));
    gl::start_read(tensor);
    reads().emplace(++last, tensor);
    return last;
  });
}

/// 1 when the bytes are there, or lost.
TENURE_CALL int tn_poll_read(int read) {
  return guarded([&] { return gl::read_ready(reads().at(read)) ? 1 : 0; });
}

/// Address of the elements, and their number of bytes in the scratch; they stay until tn_end_read().
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

/// 1 when the tensor's bytes are on the device alone, so that reading them waits.
TENURE_CALL int tn_on_device(double handle) {
  return guarded([&] { return ownership().get(id_from(handle)).storage()->only_on_device() ? 1 : 0; });
}

EMSCRIPTEN_BINDINGS(gl) {
  emscripten::function("glInit", &gl_init);
  emscripten::function("glStop", &gl::Context::stop);
  emscripten::function("glPreferHalf", &gl::Context::prefer_half);
  emscripten::function("glLose", &gl_lose);
  emscripten::function("setBackend", &set_backend_by_name);
  emscripten::function("setLeastForDevice", &set_least_for_device);
  emscripten::function("leastForDevice", &least_for_device);
}

}  // namespace tenure::wasm
