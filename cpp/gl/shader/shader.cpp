#include "gl/shader/shader.h"

#include "core/text.h"
#include "gl/shader/functions.h"

namespace tenure::gl {
namespace {

constexpr std::string_view kHead =
    "#version 300 es\n"
    "precision highp float;precision highp int;precision highp sampler2D;precision highp isampler2D;\n"
    "#define gt greaterThan\n"
    "#define ge greaterThanEqual\n"
    "#define lt lessThan\n"
    "#define le lessThanEqual\n"
    "#define eq equal\n"
    "#define ne notEqual\n"
    "#define kInfinity uintBitsToFloat(0x7f800000u)\n";

// Without mipmaps, texture() is allowed in non-uniform control flow.
std::string fetch_expression(std::string_view n, const ShaderFrame& frame) {
  if (!frame.fetch_by_lod) return text("texelFetch(", n, ",ivec2(i&", n, "_.x,i>>", n, "_.y),0)");
  if (frame.per == Per::kVertex) return text("textureLod(", n, ",", n, "_at(i),0.)");
  return text("texture(", n, ",", n, "_at(i))");
}

// Returns the GLSL of the center of texel i, for texture(). Software renderers shift one lane at a time, so
// the row index stays multiplied by the layout's width, a power of two: this reduces a transposition to three
// quarters of its time.
std::string coordinate_function(std::string_view n, const ShaderFrame& frame) {
  const std::string size = text("intBitsToFloat(", n, "_.zw)");
  return text("vec2 ", n, "_at(int i){return ",
              frame.fetch_by_lod
                  ? text("vec2(i&", n, "_.x,i&~", n, "_.x)*intBitsToFloat(", n, "_.zy)+.5*", size)
                  : text("(vec2(i&", n, "_.x,i>>", n, "_.y)+.5)*", size),
              ";}\n");
}

/// Returns the GLSL of vec4 x_at_fragment(): the texel at the fragment, for inputs with the output's layout.
std::string fragment_reader(std::string_view n, std::string_view prefix, const ShaderFrame& frame) {
  if (frame.per != Per::kTexel) return "";
  // On a software renderer, an interpolated position costs less than one computed from gl_FragCoord: two
  // thirds of the time of an addition.
  return frame.fetch_by_lod ? text(prefix, "vec4 ", n, "_at_fragment(){return texture(", n, ",uv_);}\n")
                            : text(prefix, "vec4 ", n, "_at_fragment(){return texelFetch(", n,
                                   ",ivec2(gl_FragCoord.xy),0);}\n");
}

std::string input_functions(const ShaderInput& input, const ShaderFrame& frame) {
  const std::string_view n = input.name;
  const std::string_view prefix = input.is_int ? "i" : "";
  const std::string fetch = fetch_expression(n, frame);
  const std::string_view type = input.is_int ? "int " : "float ";
  return text("uniform ", prefix, "sampler2D ", n, ";uniform ivec4 ", n, "_;\n",
              coordinate_function(n, frame), prefix, "vec4 ", n, "4(int i){return ", fetch, ";}\n",
              // A dynamic index would move the texel through memory.
              type, n, "1(int e){", prefix, "vec4 t=", n, "4(e>>2);bool one=(e&1)!=0,two=(e&2)!=0;", type,
              "p=one?t.y:t.x,q=one?t.w:t.z;return two?q:p;}\n", fragment_reader(n, prefix, frame));
}

// Texels past the last repeat it, so that no kernel reads past the end of its inputs.
constexpr std::string_view kMain =
    "uniform ivec2 out_;out T4 result_;\n"
    "void main(){ivec2 at=ivec2(gl_FragCoord.xy);int i=min(at.y*out_.x+at.x,out_.y);";
constexpr std::string_view kPerTexel = "result_=texel(i);}\n";
constexpr std::string_view kPerElement =
    "i*=4;result_=T4(element(i),element(i+1),element(i+2),element(i+3));}\n";

constexpr std::string_view kPixelMain =
    "uniform int top_;out T4 result_;\n"
    "void main(){ivec2 at=ivec2(gl_FragCoord.xy);result_=pixel(at.x,top_-at.y);}\n";

std::string vertex_main(int texels) {
  std::string main;
  for (int i = 0; i < texels; ++i) main += text("out T4 t", i, ";");
  return main += "void vertex(int v);void main(){vertex(gl_VertexID);gl_Position=vec4(0);}\n";
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
