#include "gl/shader/shader.h"

#include "core/text.h"
#include "gl/shader/functions.h"
#include "gl/shader/glsl.h"

namespace tenure::gl {
namespace {

constexpr std::string_view kHead = R"(
  #version 300 es
  precision highp float;
  precision highp int;
  precision highp sampler2D;
  precision highp isampler2D;
  #define gt greaterThan
  #define ge greaterThanEqual
  #define lt lessThan
  #define le lessThanEqual
  #define eq equal
  #define ne notEqual
  #define kInfinity uintBitsToFloat(0x7f800000u)
)"_glsl;

// NAME: the input's name; NAME_: its layout, as Pass::bind() sets it. NAME_at(): the center of texel i, for
// texture().
constexpr std::string_view kInput = R"(
  uniform SAMPLER NAME;
  uniform ivec4 NAME_;

  vec2 NAME_at(int i) { return CENTER; }
  VEC4 NAME4(int i) { return FETCH; }
  SCALAR NAME1(int e) {
    // A dynamic index would move the texel through memory.
    VEC4 t = NAME4(e >> 2);
    bool one = (e & 1) != 0, two = (e & 2) != 0;
    SCALAR p = one ? t.y : t.x, q = one ? t.w : t.z;
    return two ? q : p;
  }
)"_glsl;

constexpr std::string_view kCenter = "(vec2(i & NAME_.x, i >> NAME_.y) + .5) * intBitsToFloat(NAME_.zw)"_glsl;
// Software renderers shift one lane at a time, so the row index stays multiplied by the layout's width, a
// power of two: this reduces a transposition to three quarters of its time.
constexpr std::string_view kCenterByLod =
    "vec2(i & NAME_.x, i & ~NAME_.x) * intBitsToFloat(NAME_.zy) + .5 * intBitsToFloat(NAME_.zw)"_glsl;

std::string_view fetch_expression(const ShaderFrame& frame) {
  if (!frame.fetch_by_lod) return "texelFetch(NAME, ivec2(i & NAME_.x, i >> NAME_.y), 0)"_glsl;
  if (frame.per == Per::kVertex) return "textureLod(NAME, NAME_at(i), 0.)"_glsl;
  // Without mipmaps, texture() is allowed in non-uniform control flow.
  return "texture(NAME, NAME_at(i))"_glsl;
}

/// Returns the GLSL of NAME_at_fragment(): the texel at the fragment, for inputs with the output's layout.
std::string_view fragment_reader(const ShaderFrame& frame) {
  if (frame.per != Per::kTexel) return "";
  // On a software renderer, an interpolated position costs less than one computed from gl_FragCoord: two
  // thirds of the time of an addition.
  return frame.fetch_by_lod
             ? "VEC4 NAME_at_fragment() { return texture(NAME, uv_); }\n"_glsl
             : "VEC4 NAME_at_fragment() { return texelFetch(NAME, ivec2(gl_FragCoord.xy), 0); }\n"_glsl;
}

std::string input_functions(const ShaderInput& input, const ShaderFrame& frame) {
  return substitute(text(kInput, fragment_reader(frame)),
                    {{"CENTER", frame.fetch_by_lod ? kCenterByLod : kCenter},
                     {"FETCH", fetch_expression(frame)},
                     {"SAMPLER", input.is_int ? "isampler2D" : "sampler2D"},
                     {"VEC4", input.is_int ? "ivec4" : "vec4"},
                     {"SCALAR", input.is_int ? "int" : "float"},
                     {"NAME", input.name}});
}

constexpr std::string_view kMain = R"(
  uniform ivec2 out_;
  out T4 result_;

  void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    // Texels past the last repeat it, so that no kernel reads past the end of its inputs.
    int i = min(at.y * out_.x + at.x, out_.y);
)"_glsl;
constexpr std::string_view kPerTexel = R"(
    result_ = texel(i);
  }
)"_glsl;
constexpr std::string_view kPerElement = R"(
    i *= 4;
    result_ = T4(element(i), element(i + 1), element(i + 2), element(i + 3));
  }
)"_glsl;

constexpr std::string_view kPixelMain = R"(
  uniform int top_;
  out T4 result_;

  void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    result_ = pixel(at.x, top_ - at.y);
  }
)"_glsl;

constexpr std::string_view kVertexMain = R"(
  void vertex(int v);

  void main() {
    vertex(gl_VertexID);
    gl_Position = vec4(0);
  }
)"_glsl;

std::string vertex_main(int texels) {
  std::string outputs;
  for (int i = 0; i < texels; ++i) outputs += text("out T4 t", i, ";");
  return outputs.append(kVertexMain);
}

}  // namespace

std::string build_shader(const ShaderFrame& frame, std::string_view source) {
  std::string shader(kHead);
  shader += frame.is_int_out ? "#define T int\n#define T4 ivec4\n" : "#define T float\n#define T4 vec4\n";
  if (frame.divides_in_float) shader += "#define DIVIDES_IN_FLOAT\n";
  shader += frame.defines;
  if (frame.fetch_by_lod && frame.per == Per::kTexel) shader += "in vec2 uv_;\n";
  for (const ShaderInput& input : frame.inputs) shader += input_functions(input, frame);
  shader += functions_for(text(frame.defines, source));
  if (frame.per == Per::kVertex) return (shader += vertex_main(frame.vertex_texels)) += source;
  shader += source;
  if (frame.per == Per::kPixel) return shader += kPixelMain;
  shader += kMain;
  shader += frame.per == Per::kTexel ? kPerTexel : kPerElement;
  return shader;
}

}  // namespace tenure::gl
