#include <algorithm>

#include "cpu/elementwise/elementwise.h"
#include "cpu/kernels.h"
#include "shape_util/conv.h"

namespace tenure::cpu {
namespace {

/// Computes out[i] += a[i] * b[i].
void add_products(float* out, const float* a, const float* b, std::size_t count) {
  for (std::size_t i = 0; i < count; i += simd::kLanes)
    store_up_to(out + i, madd(load(a + i), load(b + i), load(out + i)), count - i);
}

/// Calls f(pixel of x, output pixel, tap), each as an offset in pixels or taps, for every tap that lies
/// inside the image.
template <class F>
void for_each_tap(const ConvGeometry& g, F f) {
  std::size_t out = 0;
  for (std::int32_t n = 0; n < g.batch; ++n) {
    for (std::int32_t y = 0; y < g.h.out; ++y) {
      for (std::int32_t x = 0; x < g.w.out; ++x, ++out) {
        for (std::int32_t a = 0; a < g.h.window; ++a) {
          const std::int32_t row = g.h.origin(y) + a * g.h.dilation;
          if (row < 0 || row >= g.h.in) continue;
          for (std::int32_t b = 0; b < g.w.window; ++b) {
            const std::int32_t column = g.w.origin(x) + b * g.w.dilation;
            if (column < 0 || column >= g.w.in) continue;
            f((static_cast<std::size_t>(n) * static_cast<std::size_t>(g.h.in) +
               static_cast<std::size_t>(row)) *
                      static_cast<std::size_t>(g.w.in) +
                  static_cast<std::size_t>(column),
              out,
              static_cast<std::size_t>(a) * static_cast<std::size_t>(g.w.window) +
                  static_cast<std::size_t>(b));
          }
        }
      }
    }
  }
}

}  // namespace

void depthwise_conv2d_backprop_input(const KernelArgs& args) {
  const auto attrs = args.attrs.as<ConvTransposeAttrs>();
  const ConvGeometry g =
      depthwise_conv2d_geometry(args.out.shape(), args.in[1].shape(), get_forward_attrs(attrs));
  const auto channels = static_cast<std::size_t>(g.in_channels);
  const auto outs = static_cast<std::size_t>(g.out_channels);
  const std::size_t multiplier = outs / channels;
  const float* dy = args.in[0].data<float>();
  const float* filter = args.in[1].data<float>();
  float* dx = args.out.mutable_data<float>();
  std::fill_n(dx, args.out.elements(), 0.0F);
  for_each_tap(g, [&](std::size_t in, std::size_t out, std::size_t tap) {
    float* to = dx + in * channels;
    const float* from = dy + out * outs;
    const float* weights = filter + tap * outs;
    if (multiplier == 1) return add_products(to, from, weights, channels);
    for (std::size_t i = 0; i < outs; ++i) to[i / multiplier] += from[i] * weights[i];
  });
}

void depthwise_conv2d_backprop_filter(const KernelArgs& args) {
  const auto attrs = args.attrs.as<ConvTransposeAttrs>();
  const ConvGeometry g =
      depthwise_conv2d_geometry(args.in[0].shape(), args.out.shape(), get_forward_attrs(attrs));
  const auto channels = static_cast<std::size_t>(g.in_channels);
  const auto outs = static_cast<std::size_t>(g.out_channels);
  const float* x = args.in[0].data<float>();
  const float* dy = args.in[1].data<float>();
  float* filter = args.out.mutable_data<float>();
  std::fill_n(filter, args.out.elements(), 0.0F);
  const std::size_t multiplier = outs / channels;
  for_each_tap(g, [&](std::size_t in, std::size_t out, std::size_t tap) {
    const float* cell = x + in * channels;
    const float* from = dy + out * outs;
    float* to = filter + tap * outs;
    if (multiplier == 1) return add_products(to, cell, from, channels);
    for (std::size_t i = 0; i < outs; ++i) to[i] += cell[i / multiplier] * from[i];
  });
}

}  // namespace tenure::cpu
