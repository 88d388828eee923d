#include "gl/conv/conv_phases.h"
#include "gl/kernels.h"
#include "gl/matmul/matmul_conv.h"

namespace tenure::gl {
namespace {

// The output's pixels are the input pixels of the forward convolution: each sums the windows that contain it.
// WHOLE: four channels are one texel, in the input and in the output.
constexpr std::string_view kSource = R"(
  uniform int channels, depth;
  #if WHOLE
  #define S T4
  #define LANES 4
  #else
  #define S T
  #define LANES 1
  #endif

  S product(int r, int c) {
    S s = S(0);
    EACH_WINDOW_OVER(r)
      int p = window_at * depth, f = (tap_at * channels + c) * LANES * depth;
      for (int k = 0; k < depth; ++k) {
  #if WHOLE
        T4 v = x4(p + k);
        int j = f + k;
        s += T4(dot(v, f4(j)), dot(v, f4(j + depth)), dot(v, f4(j + 2 * depth)), dot(v, f4(j + 3 * depth)));
  #else
        s += x1(p + k) * f1(f + k);
  #endif
      }
    }
    return s;
  }

  #if WHOLE
  T4 texel(int i) {
    int r = idiv(i, channels);
    return product(r, i - r * channels);
  }
  #else
  T element(int e) {
    int r = idiv(e, channels);
    return product(r, e - r * channels);
  }
  #endif
)"_glsl;

}  // namespace

void conv2d_transpose(const KernelArgs& args) { conv2d_transpose(args, nullptr); }

void conv2d_transpose(const KernelArgs& args, Tensor* packed) {
  const ConvGeometry g =
      conv2d_transpose_geometry(args.in[0].shape(), args.in[1].shape(), args.attrs.as<ConvTransposeAttrs>());
  if (can_use_phases(args, g)) return run_phases(args, g, packed);
  const bool whole = g.in_channels % 4 == 0 && g.out_channels % 4 == 0;
  const int unit = whole ? 4 : 1;
  Pass pass("conv2d_transpose");
  pass.variant("WHOLE", whole)
      .input("x", args.in[0])
      .input("f", args.in[1])
      .set("channels", g.in_channels / unit)
      .set("depth", g.out_channels / unit);
  add_windows_over(pass, g.h, g.w);
  const auto source = {kWindowsOverSource, kSource};
  whole ? pass.texels(args.out, source) : pass.elements(args.out, source);
}

}  // namespace tenure::gl
