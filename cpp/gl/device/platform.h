#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace tenure::gl {

/// A GLES 3 context of the system. The destructor destroys the context.
class Platform {
 public:
  Platform() = default;
  Platform(const Platform&) = delete;
  Platform& operator=(const Platform&) = delete;
  virtual ~Platform() = default;
  /// Makes the context current on this thread. Returns false if it is lost.
  virtual bool make_current() = 0;
  virtual bool lost() const = 0;
  /// Returns the renderer's name, unmasked where a browser masks it.
  virtual std::string renderer() const = 0;
  /// Copies `bytes` bytes from the buffer bound to GL_PIXEL_PACK_BUFFER to `to`; by mapping it where GL can
  /// map. Throws Error if it cannot be mapped.
  virtual void read_pack_buffer(void* to, std::size_t bytes) const = 0;
};

/// True if a renderer of this name is a software renderer.
bool is_software_renderer(std::string_view renderer);

/// Opens a context, or returns null if there is none. `canvas` is Emscripten's handle of a WebGL2 context
/// that JavaScript created. Native builds ignore it and create a context without a surface.
std::unique_ptr<Platform> open_platform(int canvas);

}  // namespace tenure::gl
