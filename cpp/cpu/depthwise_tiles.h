#pragma once

#include <cstddef>

#include "cpu/activation.h"
#include "geometry/conv.h"

/// What depthwise_conv.cpp cuts the rows of an output into.
namespace tenure::cpu::depthwise {

/// Output pixels side by side in a tile: enough for their sums to hide each other's latency without spilling.
constexpr int kColumns = 4;

/// A few neighbouring output pixels. Steps are in floats.
struct Tile {
  const float* in;  ///< the first tap of the first pixel
  const float* filter;
  const float* bias;
  float* out;
  int rows;     ///< taps inside the image
  int columns;  ///< likewise, where the tile is one pixel
  std::size_t in_row;
  std::size_t in_tap;
  std::size_t filter_row;
  std::size_t packed;  ///< from the packed weights of some channels to those of the next
  int channels;
  int multiplier;
  Clamp clamp;
  bool clamps;  ///< whether `clamp` changes anything, found out once
  int left;     ///< the first tap's column in the image, and how many columns there are
  int width;
  int dilation;          ///< of columns
  std::size_t out_step;  ///< from one of the pixels to the next
  int count;             ///< of tiles side by side
  const float* zeros;
};

using TileFn = void (*)(const Tile&);

/// Null where only single pixels will do.
struct TileFns {
  TileFn inner = nullptr;  ///< `count` tiles whose windows lie inside the image
  TileFn edge = nullptr;   ///< one across its left or right edge
};
TileFns tiles_for(const ConvGeometry& g);

/// One pixel, with a window of any size and step.
void one_pixel(const Tile& tile);

/// Where tiles_for() gives some: whether along_row() can be used, and is faster: where pixels are many cache
/// lines apart, few of them have room in a first-level cache.
bool goes_along_rows(const ConvGeometry& g);

/// A whole row of so many outputs, all three rows of whose windows lie inside the image; `in` is its first
/// column.
void along_row(const Tile& tile, int outputs);

}  // namespace tenure::cpu::depthwise
