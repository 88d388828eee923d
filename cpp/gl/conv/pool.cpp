#include "gl/kernels.h"
#include "gl/shader/vec4_pass.h"
#include "shape_util/window.h"

namespace tenure::gl {
namespace {

// First and last taps of an output's window that are inside the input, as in WindowAxis. An axis is {in,
// window, stride, dilation, out, pad}.
constexpr std::string_view kTaps = R"(
  uniform int h[6], w[6], depth;

  int first_tap(int o, int d) { return o < 0 ? o + (d - 1 - o) / d * d : o; }
  V at(int e) {
    int c = idiv(e, depth);
    e -= c * depth;
    int r = idiv(c, w[4]);
    c -= r * w[4];
    int n = idiv(r, h[4]);
    r -= n * h[4];
    int top = r * h[2] - h[5], left = c * w[2] - w[5];
    int bottom = top + h[1] * h[3] < h[0] ? top + h[1] * h[3] : h[0],
        right = left + w[1] * w[3] < w[0] ? left + w[1] * w[3] : w[0];
    top = first_tap(top, h[3]);
    left = first_tap(left, w[3]);
    n *= h[0];
)"_glsl;

// NaNs in the window are ignored, as in the CPU's kernel.
constexpr std::string_view kMax = R"(
    V m = V(LOWEST);
    for (int y = top; y < bottom; y += h[3])
      for (int z = left; z < right; z += w[3]) m = max(m, X(((n + y) * w[0] + z) * depth + e));
    return m;
  }
)"_glsl;

constexpr std::string_view kAverage = R"(
    V s = V(0);
    float cells = 0.;
    for (int y = top; y < bottom; y += h[3])
      for (int z = left; z < right; z += w[3]) {
        s += X(((n + y) * w[0] + z) * depth + e);
        ++cells;
      }
    return cells > 0. ? s / cells : V(uintBitsToFloat(0x7fc00000u));
  }
)"_glsl;

// The first of equal maxima. A NaN only if the window has nothing else, -1 if it has no element.
constexpr std::string_view kPositions = R"(
    V m = -1;
    X best;
    for (int y = top; y < bottom; y += h[3])
      for (int z = left; z < right; z += w[3]) {
        int cell = ((n + y) * w[0] + z) * depth + e;
        X x = x1(cell);
        if (m < 0 || x > best || is_nan(X4(best)).x) {
          m = cell;
          best = x;
        }
      }
    return m;
  }
)"_glsl;

std::array<int, 6> axis_words(const WindowAxis& axis) {
  return {axis.in, axis.window, axis.stride, axis.dilation, axis.out, axis.pad_before};
}

/// Sets the uniforms of kTaps.
void add_taps(Pass& pass, const Shape& x, const PoolAttrs& attrs, int depth) {
  const PoolGeometry g = pool_geometry(x, attrs);
  const auto h = axis_words(g.rows);
  const auto w = axis_words(g.columns);
  pass.set("h", h).set("w", w).set("depth", depth);
}

void pool(const KernelArgs& args, std::string_view name, std::string_view source) {
  const Tensor& x = args.in[0];
  Vec4Pass pass(name, x.dim(3) % 4 == 0);
  pass.variant("LOWEST", x.dtype() == DType::kInt32 ? "(-2147483647-1)" : "-kInfinity").input("x", x);
  add_taps(pass, x.shape(), args.attrs.as<PoolAttrs>(), pass.units(x.dim(3)));
  pass.draw(args.out, text(kTaps, source));
}

}  // namespace

void max_pool(const KernelArgs& args) { pool(args, "max_pool", kMax); }
void avg_pool(const KernelArgs& args) { pool(args, "avg_pool", kAverage); }

void max_pool_positions(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const bool is_int = x.dtype() == DType::kInt32;
  Pass pass("max_pool_positions");
  pass.variant("V", "T")
      .variant("X", is_int ? "int" : "float")
      .variant("X4", is_int ? "ivec4" : "vec4")
      .input("x", x);
  add_taps(pass, x.shape(), args.attrs.as<PoolAttrs>(), x.dim(3));
  pass.elements(args.out, {kTaps, kPositions, "T element(int e) { return at(e); }\n"_glsl});
}

}  // namespace tenure::gl
