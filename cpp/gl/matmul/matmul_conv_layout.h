#pragma once

#include <functional>

#include "gl/matmul/matmul_conv.h"

namespace tenure::gl {

/// Sizes of a matmul or convolution in tiles.
struct Tiling {
  explicit Tiling(const MatmulConv& product);
  /// Texels of a pixel's channels. Rows of a matrix that do not fill texels are repacked to an even number,
  /// as tiles read two at a time.
  int depth;
  /// Texels of a row of columns; an even number.
  int groups;
  /// Tiles in the direction of the rows, for one matmul of the batch.
  int tiles;
  /// Matmuls in the batch.
  int products;
};

/// Returns the input with its channels in whole texels: the input itself, or a repacked copy.
Tensor in_texels(const MatmulConv& product, const Tiling& tiling);

/// True if im2col on the CPU (unfold()) is faster, for inputs on the CPU that need repacking anyway.
bool can_unfold(const MatmulConv& product);
/// Returns the matmul that is equivalent to a convolution after im2col. Its input is the result of unfold().
MatmulConv unfolded(const MatmulConv& product);
/// Computes im2col on the CPU: each output pixel's window as a row of whole texels, taps and channels in
/// sequence. A few channels then need not fill a texel for each tap, and no program is compiled.
Tensor unfold(const MatmulConv& product, const Tiling& unfolded);

/// Returns the shape of a packed filter: one texel for each four columns, each tap and each channel.
Shape packed_shape(const Tiling& tiling, int taps, int filters = 1);
/// Returns the packed filter, cached in MatmulConv::packed if that is set.
Tensor packed_filter(const MatmulConv& product, const Tiling& tiling);
/// Returns the cached `packed`; calls pack() first if it is empty, of another shape, or lost with its
/// context.
const Tensor& get_or_pack(Tensor& packed, const Shape& shape, const Tensor& filter,
                          const std::function<Tensor()>& pack);

/// Copies tiles of sums to the rows of the output, and applies the activation and epilogue.
void scatter_tiles(const MatmulConv& product, const Tiling& tiling, const Tensor& tiles);

}  // namespace tenure::gl
