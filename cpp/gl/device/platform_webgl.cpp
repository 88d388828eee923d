#ifdef __EMSCRIPTEN__

#include <emscripten/html5_webgl.h>
#include <webgl/webgl2.h>

#include "gl/device/gles.h"
#include "gl/device/platform.h"

namespace tenure::gl {
namespace {

class WebGlPlatform final : public Platform {
 public:
  explicit WebGlPlatform(EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context) : context_(context) {}
  bool make_current() override {
    return emscripten_webgl_make_context_current(context_) == EMSCRIPTEN_RESULT_SUCCESS && !lost();
  }
  bool lost() const override { return emscripten_is_webgl_context_lost(context_); }
  std::string renderer() const override {
    constexpr GLenum kUnmaskedRenderer = 0x9246;
    const bool unmasked = emscripten_webgl_enable_extension(context_, "WEBGL_debug_renderer_info");
    const GLubyte* name = glGetString(unmasked ? kUnmaskedRenderer : GL_RENDERER);
    return name ? reinterpret_cast<const char*>(name) : "";
  }
  void read_pack_buffer(void* to, std::size_t bytes) const override {
    glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, static_cast<GLsizeiptr>(bytes), to);
  }

 private:
  EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context_;
};

}  // namespace

std::unique_ptr<Platform> open_platform(int canvas) {
  auto platform = std::make_unique<WebGlPlatform>(canvas);
  if (canvas <= 0 || !platform->make_current()) return nullptr;
  // In WebGL, an extension has no effect until it is enabled.
  for (const char* name :
       {"EXT_color_buffer_float", "EXT_color_buffer_half_float", "KHR_parallel_shader_compile"}) {
    emscripten_webgl_enable_extension(canvas, name);
  }
  return platform;
}

}  // namespace tenure::gl

#endif
