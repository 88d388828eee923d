#include "gl/matmul/matmul_conv_layout.h"

#include <algorithm>

#include "gl/backend.h"
#include "gl/device/context.h"
#include "gl/device/device_memory.h"
#include "gl/matmul/matmul_conv_tile.h"

namespace tenure::gl {
namespace {

constexpr int rounded_up(int value, int step) { return (value + step - 1) / step * step; }

/// Returns the number of matrices of `elements` elements in a tensor.
int matrices_in(const Tensor& tensor, int elements) {
  return static_cast<int>(tensor.elements() / static_cast<std::size_t>(elements));
}

bool in_whole_texels(const MatmulConv& p) { return p.g.in_channels % 4 == 0 && !p.transpose_x; }

// Repacks each pixel's channels into whole texels, padded with zeros.
constexpr std::string_view kStageSource = R"(
  uniform int rows, texels, depth, x_pixel, x_step, x_matrix;

  T4 texel(int i) {
    int r = idiv(i, texels),
        k = (i - r * texels) * 4,
        b = idiv(r, rows);
    int at = b * x_matrix + (r - b * rows) * x_pixel + k * x_step;
    vec4 v = vec4(x1(at), x1(at + x_step), x1(at + 2 * x_step), x1(at + 3 * x_step));
    return mix(vec4(0), v, lessThan(ivec4(k, k + 1, k + 2, k + 3), ivec4(depth)));
  }
)"_glsl;

Tensor stage(const MatmulConv& p, const Tiling& t) {
  const int depth = p.g.in_channels;
  const int pixels = matrices_in(p.x, depth);
  Tensor staged = Tensor::deferred({{pixels, t.depth * 4}, DType::kFloat32});
  const int rows = p.transpose_x ? p.rows() : pixels;
  Pass("product_stage")
      .input("x", p.x)
      .set("rows", rows)
      .set("texels", t.depth)
      .set("depth", depth)
      .set("x_pixel", p.transpose_x ? 1 : depth)
      .set("x_step", p.transpose_x ? rows : 1)
      .set("x_matrix", rows * depth)
      .texels(staged, kStageSource);
  return staged;
}

// Packs the filter for four columns at a time, its texels in the order in which a tile reads them, with zeros
// where the depth is rounded up. F4: filter texels are used as they are.
constexpr std::string_view kPackSource = R"(
  uniform int groups, taps, texels, depth, f_row, f_column, f_tap, f_matrix;

  T4 texel(int i) {
    int q = idiv(i, texels),
        k = i - q * texels,
        g = idiv(q, taps),
        at = k * f_row + (q - g * taps) * f_tap;
  #if BATCHED
    int b = idiv(g, groups);
    g -= b * groups;
    at += b * f_matrix;
  #endif
    at += g * f_column;
  #if F4
    vec4 v = f4(at);
  #else
    at += 3 * g * f_column;
    vec4 v = vec4(f1(at), f1(at + f_column), f1(at + 2 * f_column), f1(at + 3 * f_column));
  #endif
    return k < depth ? v : vec4(0);
  }
)"_glsl;

Tensor pack(const MatmulConv& p, const Tiling& t, const Shape& shape) {
  const int depth = p.g.in_channels;
  const int columns = p.columns();
  const bool whole = columns % 4 == 0 && !p.transpose_filter;
  const int unit = whole ? 4 : 1;
  Tensor packed = Tensor::deferred({shape, DType::kFloat32});
  Pass("product_pack")
      .variant("F4", whole)
      .variant("BATCHED", shape[0] > t.groups)
      .input("f", p.filter)
      .set("groups", t.groups)
      .set("taps", p.taps())
      .set("texels", t.depth * 4)
      .set("depth", depth)
      .set("f_row", p.transpose_filter ? 1 : columns / unit)
      .set("f_column", p.transpose_filter ? depth : 1)
      .set("f_tap", depth * columns / unit)
      .set("f_matrix", p.taps() * depth * columns / unit)
      .texels(packed, kPackSource);
  return packed;
}

/// Packs a constant filter on the CPU, so that no program is compiled and the unpacked filter is never
/// uploaded.
Tensor pack_on_cpu(const MatmulConv& p, const Tiling& t, const Shape& shape) {
  const int depth = p.g.in_channels;
  const int columns = p.columns();
  const int row = p.transpose_filter ? 1 : columns;
  const int column = p.transpose_filter ? depth : 1;
  Tensor packed({shape, DType::kFloat32});
  auto* to = packed.mutable_data<float>();
  const ScopedMaterialization materialized;
  for (int filter = 0; filter * t.groups < shape[0]; ++filter) {
    for (int group = 0; group < t.groups; ++group) {
      const auto* from = p.filter.data<float>() + filter * p.taps() * depth * columns;
      for (int tap = 0; tap < p.taps(); ++tap, from += depth * columns) {
        for (int k = 0; k < t.depth * 4; ++k) {
          for (int c = group * 4; c < group * 4 + 4; ++c) {
            *to++ = k < depth && c < columns ? from[k * row + c * column] : 0;
          }
        }
      }
    }
  }
  device().move_to_device(packed);
  return packed;
}

/// Maximum number of elements that are repacked on the CPU. Larger ones would noticeably add to its memory.
constexpr std::size_t kMaxElementsOnCpu = std::size_t{1} << 24;

bool is_lost(const Tensor& tensor) {
  const DeviceMemory* memory = tensor.storage()->device();
  return !memory || memory->lost();
}

}  // namespace

Tiling::Tiling(const MatmulConv& p)
    : depth(rounded_up(p.g.in_channels, in_whole_texels(p) || !p.pointwise() ? 4 : 8) / 4),
      groups(rounded_up(p.columns(), 8) / 4),
      tiles(rounded_up(p.rows(), kTileM) / kTileM),
      products(p.batch ? matrices_in(p.out, p.rows() * p.columns()) : 1) {}

Tensor in_texels(const MatmulConv& p, const Tiling& t) { return in_whole_texels(p) ? p.x : stage(p, t); }

bool can_unfold(const MatmulConv& p) {
  const bool is_at_hand = p.x.storage()->on_cpu() && !p.x.storage()->device();
  if (!is_at_hand || in_whole_texels(p) || p.transpose_x || p.batch) return false;
  constexpr int kMaxChannels = 3;
  const Tiling t(unfolded(p));
  if (static_cast<std::size_t>(p.rows()) * static_cast<std::size_t>(t.depth) * 4 > kMaxElementsOnCpu)
    return false;
  // If the unfolded input is larger than the output, its upload costs more than is saved.
  return p.pointwise() || (p.g.in_channels <= kMaxChannels && t.depth <= t.groups);
}

MatmulConv unfolded(const MatmulConv& p) {
  MatmulConv result = p;
  result.g = matrix_geometry(p.rows(), p.taps() * p.g.in_channels, p.columns());
  return result;
}

Tensor unfold(const MatmulConv& p, const Tiling& t) {
  const std::size_t width = static_cast<std::size_t>(t.depth) * 4;
  const TensorSpec spec{{p.rows(), t.depth * 4}, DType::kFloat32};
  if (context().prelinking()) return Tensor::deferred(spec);
  Tensor unfolded(spec);
  const int channels = p.g.in_channels;
  const auto* x = p.x.data<float>();
  auto* to = unfolded.mutable_data<float>();
  for (int row = 0; row < p.rows(); ++row, to += width) {
    const int line = row / p.g.w.out;
    const int image = line / p.g.h.out;
    const int top = p.g.h.origin(line - image * p.g.h.out);
    const int left = p.g.w.origin(row - line * p.g.w.out);
    float* end = to;
    for (int tap = 0; tap < p.taps(); ++tap, end += channels) {
      const int y = top + tap / p.g.w.window * p.g.h.dilation;
      const int x_at = left + tap % p.g.w.window * p.g.w.dilation;
      const bool inside = y >= 0 && y < p.g.h.in && x_at >= 0 && x_at < p.g.w.in;
      const std::size_t pixel = (static_cast<std::size_t>(image) * p.g.h.in + y) * p.g.w.in + x_at;
      inside ? std::copy_n(x + pixel * channels, channels, end) : std::fill_n(end, channels, 0.0F);
    }
    std::fill(end, to + width, 0.0F);
  }
  return unfolded;
}

Shape packed_shape(const Tiling& t, int taps, int filters) {
  return {filters * t.groups, taps, t.depth * 4, 4};
}

const Tensor& get_or_pack(Tensor& packed, const Shape& shape, const Tensor& filter,
                          const std::function<Tensor()>& pack) {
  if (packed && packed.shape() == shape && !is_lost(packed)) return packed;
  const bool was_there = filter.storage()->device() != nullptr;
  packed = pack();
  // The unpacked filter need not stay on the device as well.
  if (!was_there && filter.storage()->on_cpu()) filter.storage()->set_copy(nullptr);
  return packed;
}

Tensor packed_filter(const MatmulConv& p, const Tiling& t) {
  const int filters = matrices_in(p.filter, p.taps() * p.g.in_channels * p.columns());
  const Shape shape = packed_shape(t, p.taps(), filters);
  if (!p.packed) return pack(p, t, shape);
  const bool is_at_hand = p.filter.storage()->on_cpu() && shape.elements() <= kMaxElementsOnCpu;
  if (is_at_hand && context().prelinking()) return Tensor::deferred({shape, DType::kFloat32});
  return get_or_pack(*p.packed, shape, p.filter,
                     [&] { return is_at_hand ? pack_on_cpu(p, t, shape) : pack(p, t, shape); });
}

}  // namespace tenure::gl
