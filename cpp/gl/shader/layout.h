#pragma once

#include <bit>
#include <cstddef>

namespace tenure::gl {

/// How elements lie in a texture: texel i holds elements 4i to 4i + 3 of the row-major tensor, whatever its
/// shape, and stands at (i & (width - 1), i >> shift). The width, a power of two, follows from the number of
/// elements alone, so that tensors of one size can share textures.
struct Layout {
  explicit Layout(std::size_t elements)
      : texels(elements == 0 ? 1 : (elements - 1) / 4 + 1),
        shift((std::bit_width(texels - 1) + 1) / 2),
        width(1 << shift),
        rows(static_cast<int>((texels + static_cast<std::size_t>(width) - 1) >> shift)) {}
  std::size_t texels;
  int shift;
  int width;
  int rows;
};

}  // namespace tenure::gl
