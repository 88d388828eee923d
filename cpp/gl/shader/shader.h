#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tenure::gl {

/// A texture that a shader reads: the name of its sampler, and whether its texels are int32.
struct ShaderInput {
  const char* name;
  bool is_int;
};

/// Signature of the source's function: T4 texel(int i), T element(int e), void vertex(int v), or, on a
/// canvas, T4 pixel(int x, int y) with rows counted from the top.
enum class Per : unsigned char { kTexel, kElement, kVertex, kPixel };

/// The generated part of a shader around a kernel's source.
struct ShaderFrame {
  std::span<const ShaderInput> inputs;
  bool is_int_out = false;
  std::string_view defines;
  Per per = Per::kTexel;
  /// Output texels of a vertex.
  int vertex_texels = 0;
  /// Fetch with texture() at positions in [0, 1] instead of texelFetch(), which software renderers emulate at
  /// a cost.
  bool fetch_by_lod = false;
  /// True if idiv(e, d) may divide in float32: for e below kMaxFloatDividend, and quotients rounded as IEEE
  /// 754 requires.
  bool divides_in_float = false;
  /// Limit of division in float32. (e + 0.5) / d is at least 0.5 / d from an integer, which is more than the
  /// rounding error below this limit.
  static constexpr std::size_t kMaxFloatDividend = std::size_t{1} << 22;
};

/// Returns the vertex or fragment shader of a source. It has fetch functions for each input x (x4 of a texel,
/// x1 of an element, and x_at_fragment of the texel at the fragment, which needs no index), the functions of
/// gl/shader/functions.h that the source calls, the source, and main().
std::string build_shader(const ShaderFrame& frame, std::string_view source);

}  // namespace tenure::gl
