#pragma once

#include <string_view>

#include "shader_util/minify.h"
#include "shader_util/substitute.h"

namespace tenure::gl {

/// Returns GLSL, minified when it is compiled (MinifiedShader).
///
///   constexpr std::string_view kSource = R"(
///     // Counts from the end.
///     uniform int last;
///
///     T element(int e) { return x1(last - e); }
///   )"_glsl;  // "uniform int last;T element(int e){return x1(last-e);}\n"
template <ShaderLiteral kSource>
consteval std::string_view operator""_glsl() {
  return MinifiedShader<kSource>::view();
}

}  // namespace tenure::gl
