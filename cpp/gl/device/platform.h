#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace tenure::gl {

/// Where a GLES 3 context comes from. Destroying it destroys the context.
class Platform {
 public:
  Platform() = default;
  Platform(const Platform&) = delete;
  Platform& operator=(const Platform&) = delete;
  virtual ~Platform() = default;
  /// Makes the context this thread's; false when it is lost.
  virtual bool make_current() = 0;
  virtual bool lost() const = 0;
  /// The renderer's real name, also where a browser masks it.
  virtual std::string renderer() const = 0;
  /// Copies from the buffer bound to GL_PIXEL_PACK_BUFFER: mapping, where there is mapping.
  virtual void read_pack_buffer(void* to, std::size_t bytes) const = 0;
};

/// Whether a renderer of this name computes on the CPU.
bool is_rasterizer(std::string_view renderer);

/// `canvas` is Emscripten's handle of a WebGL2 context that JavaScript has made; a native build, which makes
/// a context without a surface, does not look at it. Null when there is no such context.
std::unique_ptr<Platform> open_platform(int canvas);

}  // namespace tenure::gl
