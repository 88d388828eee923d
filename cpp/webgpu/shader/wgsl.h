#pragma once

#include <string_view>

#include "shader_util/minify.h"

namespace tenure::webgpu {

/// Returns WGSL, minified when it is compiled (MinifiedShader). The build makes such a literal of each .wgsl
/// file: `#include "webgpu/elementwise/fill.wgsl.h"` defines wgsl::kFill for webgpu/elementwise/fill.wgsl.
template <ShaderLiteral kSource>
consteval std::string_view operator""_wgsl() {
  return MinifiedShader<kSource>::view();
}

}  // namespace tenure::webgpu
