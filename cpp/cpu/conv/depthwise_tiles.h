#pragma once

#include <cstddef>

#include "cpu/elementwise/activation.h"
#include "shape_util/conv.h"

/// What depthwise_conv.cpp cuts the rows of an output into.
namespace tenure::cpu::depthwise {

/// Output pixels side by side in a tile: enough for their sums to hide each other's latency without spilling.
constexpr int kColumns = 4;

/// A few neighbouring output pixels. Steps are in floats.
struct Tile {
  const float* in = nullptr;  ///< the first tap of the first pixel
  const float* filter = nullptr;
  const float* bias = nullptr;
  float* out = nullptr;
  int rows = 0;     ///< taps inside the image
  int columns = 0;  ///< likewise, of pixels()
  std::size_t in_row = 0;
  std::size_t in_tap = 0;
  std::size_t in_step = 0;  ///< from the input of one of pixels() to the next
  std::size_t filter_row = 0;
  std::size_t filter_tap = 0;  ///< of pixels()
  std::size_t packed = 0;      ///< from the packed weights of some channels to those of the next
  int channels = 0;
  Clamp clamp = {};
  bool clamps = false;  ///< whether `clamp` changes anything, found out once
  int left = 0;         ///< the first tap's column in the image, and how many columns there are
  int width = 0;
  int dilation = 1;          ///< of columns
  std::size_t out_step = 0;  ///< from one of the pixels to the next
  int count = 0;             ///< of tiles or pixels side by side
  const float* zeros = nullptr;
};

using TileFn = void (*)(const Tile&);

/// Null where only single pixels will do.
struct TileFns {
  TileFn inner = nullptr;  ///< `count` tiles whose windows lie inside the image
  TileFn edge = nullptr;   ///< one across its left or right edge
};
TileFns tiles_for(const ConvGeometry& g);

/// As gemm::compile_tiles_ahead().
void compile_tiles_ahead(const ConvGeometry& g);

/// `count` pixels, with windows of any size and step that have the same taps inside the image.
void pixels(const Tile& tile);

/// Where tiles_for() gives some: whether along_row() can be used, and is faster: where pixels are many cache
/// lines apart, few of them have room in a first-level cache.
bool goes_along_rows(const ConvGeometry& g);

/// A whole row of so many outputs, all three rows of whose windows lie inside the image; `in` is its first
/// column.
void along_row(const Tile& tile, int outputs);

}  // namespace tenure::cpu::depthwise
