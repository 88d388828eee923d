#pragma once

#include <string>
#include <string_view>

#include "gl/shader/glsl.h"

namespace tenure::gl {

/// Rows of a tile, which has as many columns, in two groups of four. The texels of the first group's rows
/// precede those of the second.
constexpr int kTileM = 8;
/// Texels of a tile.
constexpr int kTileTexels = 16;

/// GLSL that returns the index of the texel of row r and column texel g in a tile. `pairs` tiles are side by
/// side.
constexpr std::string_view kTilePlaceSource = R"(
  uniform int pairs;

  int place(int tile, int r, int g) { return ((tile * pairs + (g >> 1)) << 4) + ((g & 1) << 3) + (r & 7); }
)"_glsl;

/// Returns the GLSL of a vertex that computes a tile, for matmul_conv_tiled.cpp.
const std::string& tile_source();

}  // namespace tenure::gl
