#pragma once

#include <bit>
#include <cstddef>

namespace tenure::gl {

/// Layout of a tensor in a texture. Texel i holds elements 4i to 4i + 3 of the row-major tensor, whatever its
/// shape, at (i & (width - 1), i >> shift). The width is a power of two that depends on the number of
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
