#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tenure::gl {

/// A texture that a shader reads: the name of its sampler, and whether its texels are integers.
struct ShaderInput {
  const char* name;
  bool is_int;
};

/// Which function of a source gives the output: T4 texel(int i), T element(int e), void vertex(int v), or, on
/// a canvas, T4 pixel(int x, int y) with rows counted from the top.
enum class Per : unsigned char { kTexel, kElement, kVertex, kPixel };

/// What stands around a kernel's own source.
struct ShaderFrame {
  std::span<const ShaderInput> inputs;
  bool is_int_out = false;
  std::string_view defines;
  Per per = Per::kTexel;
  /// Outputs of a vertex.
  int vertex_texels = 0;
  /// Fetch by place in [0, 1] instead of with texelFetch, which rasterizers on the CPU emulate at a cost.
  bool fetch_by_lod = false;
  /// Whether over(e, d) may divide in float32: where e is below kMostByFloat, and a quotient is rounded as
  /// IEEE 754 says.
  bool divides_in_float = false;
  /// (e + 0.5) / d lies at least 0.5 / d from a whole number, further than rounding moves it below.
  static constexpr std::size_t kMostByFloat = std::size_t{1} << 22;
};

/// The shader of a source, a vertex or a fragment shader as it asks: fetch functions for each input x (x4 of
/// a texel, x1 of an element, and x_here of the texel under the fragment, which needs no index), the
/// functions of gl/shader/functions.h that it mentions, itself, and main().
std::string shader_of(const ShaderFrame& frame, std::string_view source);

}  // namespace tenure::gl
