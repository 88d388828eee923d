#pragma once

#include <string>
#include <string_view>

namespace tenure::gl {

/// Rows of a tile; it has as many columns, in two groups of four. The texels of the first group's rows come
/// before those of the second.
constexpr int kTileRows = 8;
constexpr int kTileTexels = 16;

/// Where the texel of row r and column texel g stands among tiles, of which `pairs` lie side by side.
constexpr std::string_view kTilePlaceSource =
    "uniform int pairs;\n"
    "int place(int tile,int r,int g){return ((tile*pairs+(g>>1))<<4)+((g&1)<<3)+(r&7);}\n";

/// GLSL of a vertex that sums up a tile of a product, for product_tiled.cpp.
const std::string& tile_source();

}  // namespace tenure::gl
