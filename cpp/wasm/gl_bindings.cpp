// The WebGL backend's exports: the contexts that JavaScript creates.

#include <emscripten/bind.h>

#include "core/run/backend_registry.h"
#include "gl/backend.h"
#include "gl/device/context.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

/// Starts a context. `context` is the number that GL.registerContext() returned for a WebGL2 context. Returns
/// false if it cannot compute.
bool gl_init(int context) {
  bool started = false;
  guarded([&] {
    register_backend(gl::backend());
    started = gl::Context::start(context);
    return 0;
  });
  return started;
}

/// Handles the browser's context-lost event. gl_init() starts again once the context is restored.
void gl_lose() {
  if (gl::Context* context = gl::Context::current()) context->lose();
}

}  // namespace

EMSCRIPTEN_BINDINGS(gl) {
  emscripten::function("glInit", &gl_init);
  emscripten::function("glStop", &gl::Context::stop);
  emscripten::function("glPreferHalf", &gl::Context::prefer_half);
  emscripten::function("glLose", &gl_lose);
}

}  // namespace tenure::wasm
