#pragma once

#include <cstddef>

#include "cpu/elementwise/activation.h"
#include "shape_util/conv.h"

/// Micro-kernels of depthwise_conv.cpp.
namespace tenure::cpu::depthwise {

/// Output pixels of a tile, in a row: enough independent sums to hide each other's latency without spilling
/// registers.
constexpr int kColumns = 4;

/// Arguments of the micro-kernels: neighbouring output pixels. Strides are in floats.
struct Tile {
  const float* in = nullptr;  ///< first tap of the first pixel
  const float* filter = nullptr;
  const float* bias = nullptr;
  float* out = nullptr;
  int rows = 0;     ///< rows of taps inside the image
  int columns = 0;  ///< columns of taps inside the image; for pixels()
  std::size_t in_row = 0;
  std::size_t in_tap = 0;
  std::size_t in_stride = 0;  ///< from the input of a pixel to the next; for pixels()
  std::size_t filter_row = 0;
  std::size_t filter_tap = 0;  ///< for pixels()
  std::size_t packed = 0;      ///< from the packed weights of four channels to the next
  int channels = 0;
  Clamp clamp = {};
  bool has_clamp = false;      ///< true if `clamp` has an effect
  int left = 0;                ///< column of the first tap in the image
  int width = 0;               ///< columns of the image
  int dilation = 1;            ///< along columns
  std::size_t out_stride = 0;  ///< from a pixel to the next
  int count = 0;               ///< of tiles or pixels in a row
  const float* zeros = nullptr;
};

using TileFn = void (*)(const Tile&);

/// Micro-kernels for a shape; null if only pixels() supports it.
struct TileFns {
  TileFn inner = nullptr;  ///< computes `count` tiles whose windows lie inside the image
  TileFn edge = nullptr;   ///< computes one tile across the left or right edge
};
/// Returns the micro-kernels for the shape of `g`.
TileFns tiles_for(const ConvGeometry& g);

/// Triggers JIT tier-up of the micro-kernels for the shape of `g`.
void tier_up_microkernels(const ConvGeometry& g);

/// Computes `count` pixels whose windows have the same taps inside the image. Supports any window size and
/// stride.
void pixels(const Tile& tile);

/// True if sliding_row_kernel() supports the shape and is faster than tiles. It is faster where channels are
/// few: where pixels are many cache lines apart, few of them fit into a first-level cache. Only for shapes
/// with micro-kernels (tiles_for()).
bool should_use_row_kernel(const ConvGeometry& g);

/// Computes a whole row of `outputs` pixels, if all three rows of their windows lie inside the image.
/// `tile.in` is the first column of the image.
void sliding_row_kernel(const Tile& tile, int outputs);

}  // namespace tenure::cpu::depthwise
