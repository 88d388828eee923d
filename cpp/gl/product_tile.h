#pragma once

#include <string>

namespace tenure::gl {

/// Rows of a tile; it has as many columns, in two groups of four. The texels of the first group's rows come
/// before those of the second.
constexpr int kTileRows = 8;
constexpr int kTileTexels = 16;

/// GLSL of a vertex that sums up a tile of a product, for product_tiled.cpp.
const std::string& tile_source();

}  // namespace tenure::gl
