#include "gl/device/pixels.h"

#include "core/error.h"
#include "gl/device/context.h"
#include "gl/shader/kernel.h"

namespace tenure::gl {
namespace {

// texelFetch() of RGBA8 returns bytes as fractions of 255.
constexpr std::string_view kElement = R"(
  uniform int width, channels;

  int element(int e) {
    int at = idiv(e, channels);
    return int(
        texelFetch(picture, ivec2(imod(at, width), idiv(at, width)), 0)[e - at * channels] * 255. + .5);
  }
)"_glsl;
constexpr std::string_view kTexel = R"(
  uniform int width;

  ivec4 texel(int i) {
    return ivec4(texelFetch(picture, ivec2(imod(i, width), idiv(i, width)), 0) * 255. + .5);
  }
)"_glsl;

constexpr std::string_view kPixel = R"(
  uniform int width;
  uniform float scale;

  vec4 pixel(int x, int y) {
    int at = (y * width + x) * CHANNELS;
  #if CHANNELS == 1
    vec4 color = vec4(vec3(image1(at)), 1. / scale);
  #elif CHANNELS == 3
    vec4 color = vec4(image1(at), image1(at + 1), image1(at + 2), 1. / scale);
  #else
    vec4 color = vec4(image4(at >> 2));
  #endif
    return color * scale;
  }
)"_glsl;

}  // namespace

Picture::Picture(int width, int height) : width_(width), height_(height) {
  Context& gl = context();
  const int most = gl.capabilities().max_texture_size;
  check(width > 0 && height > 0 && width <= most && height <= most, "a picture of ", width, " x ", height,
        " pixels does not fit into a texture, which has at most ", most, " x ", most);
  glGenTextures(1, &texture_);
  gl.bind_for_upload(texture_);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
}

Picture::~Picture() {
  Context* gl = Context::current();
  if (gl && !gl->lost()) gl->delete_texture(texture_);
}

Tensor Picture::pixels(int channels) const {
  Tensor out = Tensor::deferred({{height_, width_, channels}, DType::kInt32});
  Pass pass("picture");
  pass.picture("picture", texture_).set("width", width_);
  if (channels == 4) {
    pass.variant("WHOLE", 1).texels(out, kTexel);
  } else {
    pass.set("channels", channels).elements(out, kElement);
  }
  return out;
}

void draw_to_canvas(const Tensor& image) {
  const int channels = image.rank() == 2 ? 1 : image.dim(2);
  Pass("canvas")
      .input("image", image)
      .variant("CHANNELS", channels)
      .set("width", image.dim(1))
      .set("scale", image.dtype() == DType::kFloat32 ? 1.0F : 1.0F / 255)
      .canvas(image.dim(1), image.dim(0), kPixel);
}

}  // namespace tenure::gl
