#include "cpu/conv/winograd.h"

#include <algorithm>

#include "cpu/conv/winograd_tiles.h"

namespace tenure::cpu::winograd {
namespace {

std::size_t size(int value) { return static_cast<std::size_t>(value); }

}  // namespace

Form choose_form(const ConvGeometry& g, bool prepared) {
  const auto is_3x3_with_stride = [&](int stride) {
    const auto fits = [&](const WindowAxis& axis) {
      return axis.window == 3 && axis.stride == stride && axis.dilation == 1;
    };
    return g.groups == 1 && fits(g.h) && fits(g.w);
  };
  // A transformed filter of more than 9 MB is not worth its memory.
  constexpr std::int64_t kMaxChannelPairs = 1 << 16;
  if (prepared && std::int64_t{g.in_channels} * g.out_channels > kMaxChannelPairs) return Form::kNone;
  if (is_3x3_with_stride(1) && four::is_profitable(g, prepared)) return Form::kF4x4;
  // Without fused multiply-add there are too few registers: it takes 1.35 times as long.
  if constexpr (simd::kAssumeFma) {
    if (is_3x3_with_stride(2) && strided::is_profitable(g, prepared)) return Form::kStride2;
  }
  return Form::kNone;
}

gemm::PackedB transform(Form form, const float* filter, int in_channels, int out_channels) {
  if constexpr (simd::kAssumeFma) {
    if (form == Form::kStride2) return strided::transform(filter, in_channels, out_channels);
  }
  return four::transform(filter, in_channels, out_channels);
}

std::unique_ptr<Convolution> convolution(Form form, const ConvGeometry& g, const float* x,
                                         const gemm::PackedB& filter, const gemm::Epilogue& epilogue,
                                         float* out) {
  const Operands operands = {g, x, filter, epilogue, out};
  if constexpr (simd::kAssumeFma) {
    if (form == Form::kStride2) return strided::convolution(operands);
  }
  return four::convolution(operands);
}

TiledConvolution::TiledConvolution(const Operands& operands, int size, int in_size, int most)
    : operands_(operands),
      size_(size),
      in_size_(in_size),
      down_((operands_.g.h.out + size - 1) / size),
      across_((operands_.g.w.out + size - 1) / size),
      count_(operands_.g.batch * down_ * across_) {
  const int blocks = (count_ + most - 1) / most;
  tiles_ = (count_ + blocks - 1) / blocks;
}

int TiledConvolution::tiles_in(int block) const { return std::min(tiles_, count_ - block * tiles_); }

TiledConvolution::TileOrigin TiledConvolution::tile_origin(int tile) const {
  const ConvGeometry& g = operands_.g;
  const int x = tile % across_ * size_;
  const int y = tile / across_ % down_ * size_;
  const std::size_t image = size(tile / across_ / down_);
  return {operands_.x + image * size(g.h.in) * size(g.w.in) * size(g.in_channels),
          operands_.out + (image * size(g.h.out) + size(y)) * out_row() + size(x) * size(g.out_channels),
          y,
          x,
          std::min(size_, g.h.out - y),
          std::min(size_, g.w.out - x)};
}

void TiledConvolution::fill_input_pointers(const TileOrigin& origin, const float* zeros,
                                           const float** pixels) const {
  const ConvGeometry& g = operands_.g;
  const int top = g.h.origin(origin.y);
  const int left = g.w.origin(origin.x);
  for (int y = top; y < top + in_size_; ++y) {
    for (int x = left; x < left + in_size_; ++x) {
      const bool inside = y >= 0 && y < g.h.in && x >= 0 && x < g.w.in;
      *pixels++ = inside ? origin.image + (size(y) * size(g.w.in) + size(x)) * size(g.in_channels) : zeros;
    }
  }
}

void TiledConvolution::activate_tile(const TileOrigin& origin) const {
  for (int y = 0; y < origin.height; ++y) {
    activate(origin.out + size(y) * out_row(), size(origin.width) * size(operands_.g.out_channels),
             operands_.epilogue.activation, operands_.epilogue.alpha);
  }
}

std::size_t TiledConvolution::out_row() const {
  return size(operands_.g.w.out) * size(operands_.g.out_channels);
}

}  // namespace tenure::cpu::winograd
