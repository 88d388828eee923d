#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "cpu/elementwise/elementwise.h"
#include "cpu/kernels.h"
#include "cpu/threads/parallel.h"
#include "cpu/threads/scratch.h"

namespace tenure::cpu {
namespace {

using simd::F32;

/// Mapping from output positions of one axis to input positions. In double, as in TensorFlow.js.
struct Axis {
  Axis(std::int32_t from, std::int32_t to, const ResizeAttrs& attrs)
      : in(from), half_pixel(attrs.half_pixel_centers != 0), align(attrs.align_corners != 0) {
    const bool corners = align && to > 1;
    ratio = static_cast<double>(corners ? from - 1 : from) / static_cast<double>(corners ? to - 1 : to);
  }
  std::int32_t nearest(std::int32_t o) const {
    const double position = ratio * (half_pixel ? o + 0.5 : o);
    const double whole = align ? std::floor(position + 0.5) : std::floor(position);
    return std::clamp(static_cast<std::int32_t>(whole), 0, in - 1);
  }
  double position(std::int32_t o) const { return half_pixel ? ratio * (o + 0.5) - 0.5 : ratio * o; }

  std::int32_t in;
  bool half_pixel;
  bool align;
  double ratio;
};

/// Linear interpolation along one axis: the two input neighbours of an output position, and its fraction of
/// the way from `low` to `high`.
struct Lerp {
  Lerp(const Axis& axis, std::int32_t o) {
    const double position = axis.position(o);
    low = std::max(0, static_cast<std::int32_t>(std::floor(position)));
    high = std::min(axis.in - 1, static_cast<std::int32_t>(std::ceil(position)));
    fraction = static_cast<float>(position - low);
  }
  explicit Lerp(std::int32_t only) : low(only), high(only), fraction(0) {}
  std::int32_t low;
  std::int32_t high;
  float fraction;
};

F32 blend(F32 from, F32 to, float fraction) { return madd(to - from, fraction, from); }

template <class T>
F32 read(const T* p) {
  if constexpr (std::is_same_v<T, float>) {
    return load(p);
  } else {
    return to_float(load(p));
  }
}

/// Linear interpolation between two cells of a row, given as offsets in floats.
struct CellLerp {
  CellLerp(const Lerp& columns, std::size_t channels)
      : low(static_cast<std::size_t>(columns.low) * channels),
        high(static_cast<std::size_t>(columns.high) * channels),
        fraction(columns.fraction) {}
  std::size_t low;
  std::size_t high;
  float fraction;
};

/// Returns the number of output rows of all images of `x`.
std::size_t output_rows(const Tensor& x, const ResizeAttrs& attrs) {
  return static_cast<std::size_t>(x.dim(0)) * static_cast<std::size_t>(attrs.height);
}

/// Writes the channels of `cells`; read(cell, c) returns four of them from c on. Vectors reach into the next
/// cell, which is written after them, but not beyond `end`.
template <class Cell, class Read>
void write_cells(std::span<const Cell> cells, std::size_t channels, float* out, const float* end, Read read) {
  const std::size_t whole = channels / simd::kLanes * simd::kLanes;
  std::size_t i = 0;
  if (whole == 0) {
    for (; i < cells.size() && end - out >= simd::kLanes; ++i, out += channels) store(out, read(cells[i], 0));
  }
  // Copied, like what `read` captures: stores may alias the originals.
  for (const Cell cell : cells.subspan(i)) {
    for (std::size_t c = 0; c < whole; c += simd::kLanes) store(out + c, read(cell, c));
    if (whole < channels) {
      const F32 rest = read(cell, whole);
      if (end - out >= static_cast<std::ptrdiff_t>(whole + simd::kLanes)) {
        store(out + whole, rest);
      } else {
        for (std::size_t c = whole; c < channels; ++c) out[c] = rest[static_cast<int>(c - whole)];
      }
    }
    out += channels;
  }
}

/// Interpolates the rows first, then the cells of the interpolated row: both loops run over contiguous
/// floats. If an image shrinks, interpolates only what the output needs, which is less than a whole row.
template <class T>
void bilinear(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const auto attrs = args.attrs.as<ResizeAttrs>();
  const Axis rows(x.dim(1), attrs.height, attrs);
  const Axis columns(x.dim(2), attrs.width, attrs);
  const auto height = static_cast<std::size_t>(attrs.height);
  const auto channels = static_cast<std::size_t>(x.dim(3));
  const std::size_t row = channels * static_cast<std::size_t>(x.dim(2));
  const std::size_t out_row = channels * static_cast<std::size_t>(attrs.width);
  std::vector<CellLerp> across;
  across.reserve(static_cast<std::size_t>(attrs.width));
  for (std::int32_t i = 0; i < attrs.width; ++i) across.emplace_back(Lerp(columns, i), channels);

  const std::size_t vectors = (channels + simd::kLanes - 1) / simd::kLanes;
  const bool skips = row > vectors * simd::kLanes * across.size();
  constexpr std::size_t kWork = 4;
  const std::size_t grain = grain_size((row + out_row) * kWork);
  const std::size_t count = output_rows(x, attrs);
  const int threads = threads_for(count, grain);
  const std::size_t size = row + simd::kLanes;
  Scratch<float> blended(static_cast<std::size_t>(threads), size);
  const T* images = x.data<T>();
  float* out = args.out.mutable_data<float>();
  parallel_for(count, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    float* between = blended.data() + size * static_cast<std::size_t>(slot);
    for (std::size_t i = begin; i < end; ++i) {
      const T* image = images + i / height * x.shape().elements(1, 4);
      const Lerp down(rows, static_cast<std::int32_t>(i % height));
      const T* top = image + static_cast<std::size_t>(down.low) * row;
      const T* bottom = image + static_cast<std::size_t>(down.high) * row;
      float* to = out + i * out_row;
      if (skips) {
        const auto column = [top, bottom, f = down.fraction](std::size_t k) {
          return blend(read(top + k), read(bottom + k), f);
        };
        write_cells<CellLerp>(across, channels, to, to + out_row,
                              [column](const CellLerp& cell, std::size_t c) {
                                return blend(column(cell.low + c), column(cell.high + c), cell.fraction);
                              });
        continue;
      }
      for (std::size_t k = 0; k < row; k += simd::kLanes) {
        blend(read(top + k), read(bottom + k), down.fraction).store(between + k);
      }
      write_cells<CellLerp>(
          across, channels, to, to + out_row, [between](const CellLerp& cell, std::size_t c) {
            return blend(load(between + cell.low + c), load(between + cell.high + c), cell.fraction);
          });
    }
  });
}

/// Distributes the gradient of each output pixel to the input pixels that it was interpolated from.
/// get_lerp(axis, o) returns these for output position o of an axis.
template <class GetLerp>
void scatter_gradient(const KernelArgs& args, GetLerp get_lerp) {
  const Shape& dy = args.in[0].shape();
  const Shape& dx = args.out.shape();
  const auto attrs = args.attrs.as<ResizeAttrs>();
  const Axis rows(dx[1], dy[1], attrs);
  const Axis columns(dx[2], dy[2], attrs);
  const auto channels = static_cast<std::size_t>(dx[3]);
  const float* from = args.in[0].data<float>();
  float* image = args.out.mutable_data<float>();
  std::fill_n(image, args.out.elements(), 0.0F);
  const auto add = [&](std::int32_t y, std::int32_t x, float weight) {
    if (weight == 0) return;
    float* to = image + (static_cast<std::size_t>(y) * static_cast<std::size_t>(dx[2]) +
                         static_cast<std::size_t>(x)) *
                            channels;
    for (std::size_t c = 0; c < channels; ++c) to[c] += from[c] * weight;
  };
  for (std::int32_t n = 0; n < dx[0]; ++n, image += dx.elements(1, 4)) {
    for (std::int32_t y = 0; y < dy[1]; ++y) {
      const Lerp down = get_lerp(rows, y);
      for (std::int32_t x = 0; x < dy[2]; ++x, from += channels) {
        const Lerp across = get_lerp(columns, x);
        add(down.low, across.low, (1 - down.fraction) * (1 - across.fraction));
        add(down.low, across.high, (1 - down.fraction) * across.fraction);
        add(down.high, across.low, down.fraction * (1 - across.fraction));
        add(down.high, across.high, down.fraction * across.fraction);
      }
    }
  }
}

}  // namespace

void resize_bilinear(const KernelArgs& args) {
  args.in[0].dtype() == DType::kInt32 ? bilinear<std::int32_t>(args) : bilinear<float>(args);
}

/// Copies pixels as 32-bit words, of either dtype.
void resize_nearest_neighbor(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const auto attrs = args.attrs.as<ResizeAttrs>();
  const Axis rows(x.dim(1), attrs.height, attrs);
  const Axis columns(x.dim(2), attrs.width, attrs);
  const auto height = static_cast<std::size_t>(attrs.height);
  const auto channels = static_cast<std::size_t>(x.dim(3));
  const std::size_t row = channels * static_cast<std::size_t>(x.dim(2));
  const std::size_t out_row = channels * static_cast<std::size_t>(attrs.width);
  std::vector<std::size_t> across;
  across.reserve(static_cast<std::size_t>(attrs.width));
  for (std::int32_t i = 0; i < attrs.width; ++i) {
    across.push_back(static_cast<std::size_t>(columns.nearest(i)) * channels);
  }

  constexpr std::size_t kWork = 8;
  const float* images = x.data<float>();
  float* out = args.out.mutable_data<float>();
  parallel_for(output_rows(x, attrs), grain_size(out_row * kWork), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const float* from = images + i / height * x.shape().elements(1, 4) +
                          static_cast<std::size_t>(rows.nearest(static_cast<std::int32_t>(i % height))) * row;
      write_cells<std::size_t>(across, channels, out + i * out_row, out + (i + 1) * out_row,
                               [from](std::size_t cell, std::size_t c) { return load(from + cell + c); });
    }
  });
}

void resize_bilinear_backprop(const KernelArgs& args) {
  scatter_gradient(args, [](const Axis& axis, std::int32_t o) { return Lerp(axis, o); });
}

void resize_nearest_neighbor_backprop(const KernelArgs& args) {
  scatter_gradient(args, [](const Axis& axis, std::int32_t o) { return Lerp(axis.nearest(o)); });
}

}  // namespace tenure::cpu
