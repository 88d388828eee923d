#include "gl/kernels.h"
#include "gl/matmul/matmul_conv.h"
#include "gl/shader/vec4_pass.h"
#include "shape_util/window.h"

namespace tenure::gl {
namespace {

// A window distributes its gradient equally to its cells that are inside the image.
constexpr std::string_view kAverage = R"(
  uniform int depth;

  int cells(int first, int extent, int taps, int step) {
    int from = first < 0 ? (step - 1 - first) / step : 0,
        end = (extent - first + step - 1) / step;
    return (end < taps ? end : taps) - from;
  }

  V at(int e) {
    int r = e / depth, c = e - r * depth;
    V s = V(0);
    EACH_WINDOW_OVER(r)
      s += X(window_at * depth + c) / float(cells(corner.x, sizes.x, window.x, window.z) *
                                            cells(corner.y, sizes.y, window.y, window.w));
    }
    return s;
  }
)"_glsl;

// A window passes its gradient to the cell that was its maximum.
constexpr std::string_view kMax = R"(
  uniform int depth;

  V at(int e) {
    int r = e / depth, c = e - r * depth;
    V s = V(0);
    EACH_WINDOW_OVER(r)
      int p = window_at * depth + c;
  #if WHOLE
      s += mix(vec4(0), X(p), equal(positions4(p), ivec4(e * 4) + ivec4(0, 1, 2, 3)));
  #else
      if (positions1(p) == e) s += X(p);
  #endif
    }
    return s;
  }
)"_glsl;

void pool_backprop(const KernelArgs& args, Op op, std::string_view source) {
  const Shape& shape = args.out.shape();
  if (args.in[0].elements() == 0) return fall_back_to_cpu(op, args);
  const PoolGeometry g = pool_geometry(shape, args.attrs.as<PoolBackpropAttrs>());
  Vec4Pass pass(op_def(op).name, shape[3] % 4 == 0);
  pass.input("x", args.in[0]).set("depth", pass.units(shape[3]));
  if (op == Op::max_pool_backprop) pass.input("positions", args.in[1]);
  add_windows_over(pass, g.rows, g.columns);
  pass.draw(args.out, text(kWindowsOverSource, source));
}

}  // namespace

void avg_pool_backprop(const KernelArgs& args) { pool_backprop(args, Op::avg_pool_backprop, kAverage); }
void max_pool_backprop(const KernelArgs& args) { pool_backprop(args, Op::max_pool_backprop, kMax); }

}  // namespace tenure::gl
