#include <algorithm>

#include "cpu/kernels.h"
#include "shape_util/window.h"

namespace tenure::cpu {
namespace {

/// Calls f(output pixel, first pixel of its window, rows, columns) for every window of images of shape `x`.
/// Pixels are offsets in pixels; rows and columns count the taps inside the image. If there are none, the
/// first pixel is 0 and has no meaning.
template <class F>
void for_each_window(const Dims& x, const PoolGeometry& g, F f) {
  std::size_t out = 0;
  for (std::int32_t n = 0; n < x[0]; ++n) {
    for (std::int32_t y = 0; y < g.rows.out; ++y) {
      const std::int32_t top = g.rows.origin(y);
      const std::int32_t first_row = g.rows.first_tap(top);
      for (std::int32_t i = 0; i < g.columns.out; ++i, ++out) {
        const std::int32_t left = g.columns.origin(i);
        const std::int32_t first_column = g.columns.first_tap(left);
        const std::int32_t rows = std::max(0, g.rows.end_tap(top) - first_row);
        const std::int32_t columns = std::max(0, g.columns.end_tap(left) - first_column);
        const auto first_inside = [&] {
          const std::int32_t row = n * x[1] + top + first_row * g.rows.dilation;
          return row * x[2] + left + first_column * g.columns.dilation;
        };
        f(out, rows > 0 && columns > 0 ? first_inside() : 0, rows, columns);
      }
    }
  }
}

template <class T>
void find_positions(const KernelArgs& args) {
  const Shape& shape = args.in[0].shape();
  const PoolGeometry g = pool_geometry(shape, args.attrs.as<PoolAttrs>());
  const T* x = args.in[0].data<T>();
  auto* out = args.out.mutable_data<std::int32_t>();
  const std::int32_t channels = shape[3];
  for_each_window(
      shape, g, [&](std::size_t cell, std::int32_t first, std::int32_t rows, std::int32_t columns) {
        for (std::int32_t c = 0; c < channels; ++c) {
          std::int32_t best = -1;
          for (std::int32_t a = 0; a < rows; ++a) {
            for (std::int32_t b = 0; b < columns; ++b) {
              const std::int32_t at =
                  (first + a * g.rows.dilation * shape[2] + b * g.columns.dilation) * channels + c;
              // The first of equal values wins; a NaN only if there is nothing else.
              if (best < 0 || x[at] > x[best] || x[best] != x[best]) best = at;
            }
          }
          out[cell * static_cast<std::size_t>(channels) + static_cast<std::size_t>(c)] = best;
        }
      });
}

}  // namespace

void max_pool_positions(const KernelArgs& args) {
  args.in[0].dtype() == DType::kInt32 ? find_positions<std::int32_t>(args) : find_positions<float>(args);
}

void max_pool_backprop(const KernelArgs& args) {
  const auto positions = args.in[1].values<std::int32_t>();
  const float* dy = args.in[0].data<float>();
  float* dx = args.out.mutable_data<float>();
  const std::size_t elements = args.out.elements();
  std::fill_n(dx, elements, 0.0F);
  // A window without a position (-1), or an invalid position from a caller, is past the end as unsigned.
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto at = static_cast<std::uint32_t>(positions[i]);
    if (at < elements) dx[at] += dy[i];
  }
}

void avg_pool_backprop(const KernelArgs& args) {
  const Shape& shape = args.out.shape();
  const PoolGeometry g = pool_geometry(shape, args.attrs.as<PoolBackpropAttrs>());
  const float* dy = args.in[0].data<float>();
  float* dx = args.out.mutable_data<float>();
  std::fill_n(dx, args.out.elements(), 0.0F);
  const std::int32_t channels = shape[3];
  for_each_window(shape, g,
                  [&](std::size_t cell, std::int32_t first, std::int32_t rows, std::int32_t columns) {
                    const float* from = dy + cell * static_cast<std::size_t>(channels);
                    const float share = 1.0F / static_cast<float>(rows * columns);
                    for (std::int32_t a = 0; a < rows; ++a) {
                      for (std::int32_t b = 0; b < columns; ++b) {
                        float* to = dx + static_cast<std::size_t>(first + a * g.rows.dilation * shape[2] +
                                                                  b * g.columns.dilation) *
                                             static_cast<std::size_t>(channels);
                        for (std::int32_t c = 0; c < channels; ++c) to[c] += from[c] * share;
                      }
                    }
                  });
}

}  // namespace tenure::cpu
