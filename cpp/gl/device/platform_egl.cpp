#ifndef __EMSCRIPTEN__

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <cstring>
#include <string_view>

#include "core/error.h"
#include "gl/device/gles.h"
#include "gl/device/platform.h"

namespace tenure::gl {
namespace {

class EglPlatform final : public Platform {
 public:
  EglPlatform(EGLDisplay display, EGLContext context) : display_(display), context_(context) {}
  ~EglPlatform() override {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
  }
  bool make_current() override {
    return eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE;
  }
  bool lost() const override { return false; }
  std::string renderer() const override {
    const GLubyte* name = glGetString(GL_RENDERER);
    return name ? reinterpret_cast<const char*>(name) : "";
  }
  void read_pack_buffer(void* to, std::size_t bytes) const override {
    const auto size = static_cast<GLsizeiptr>(bytes);
    const void* from = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, size, GL_MAP_READ_BIT);
    if (!from) {
      fail_with(ErrorCode::kInternal,
                text("GL cannot map a buffer to read ", bytes, " bytes: error ", glGetError()));
    }
    std::memcpy(to, from, bytes);
    glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
  }

 private:
  EGLDisplay display_;
  EGLContext context_;
};

std::unique_ptr<Platform> open_display(EGLDisplay display) {
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) return nullptr;
  eglBindAPI(EGL_OPENGL_ES_API);
  constexpr EGLint kConfig[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT,
                                EGL_NONE};
  EGLConfig config = nullptr;
  EGLint configs = 0;
  // A surfaceless context needs no config, and a device may offer none.
  eglChooseConfig(display, kConfig, &config, 1, &configs);
  constexpr EGLint kContext[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
  EGLContext context =
      eglCreateContext(display, configs > 0 ? config : EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, kContext);
  if (context == EGL_NO_CONTEXT) return nullptr;
  auto platform = std::make_unique<EglPlatform>(display, context);
  if (!platform->make_current()) return nullptr;
  return platform;
}

template <class Function>
Function egl_function(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

/// True if an EGL device identifies itself as Mesa's software renderer.
bool is_software_device(EGLDeviceEXT device) {
  const auto query = egl_function<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  const char* extensions = query ? query(device, EGL_EXTENSIONS) : nullptr;
  return extensions &&
         std::string_view(extensions).find("EGL_MESA_device_software") != std::string_view::npos;
}

/// Opens the first device that is no software renderer, or returns null. Drivers list software devices first
/// or last.
std::unique_ptr<Platform> open_gpu() {
  const auto query = egl_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  constexpr EGLint kMaxDevices = 16;
  EGLDeviceEXT devices[kMaxDevices];
  EGLint count = 0;
  if (!query || !query(kMaxDevices, devices, &count)) return nullptr;
  for (EGLint i = 0; i < count; ++i) {
    if (is_software_device(devices[i])) continue;
    auto platform = open_display(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
    if (platform && !is_software_renderer(platform->renderer())) return platform;
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<Platform> open_platform(int) {
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const std::string_view known = extensions ? extensions : "";
  if (known.find("EGL_EXT_platform_device") != std::string_view::npos) {
    if (auto platform = open_gpu()) return platform;
  }
  if (known.find("EGL_MESA_platform_surfaceless") != std::string_view::npos) {
    constexpr EGLenum kSurfaceless = EGL_PLATFORM_SURFACELESS_MESA;
    if (auto platform = open_display(eglGetPlatformDisplay(kSurfaceless, nullptr, nullptr))) return platform;
  }
  return open_display(eglGetDisplay(EGL_DEFAULT_DISPLAY));
}

}  // namespace tenure::gl

#endif
