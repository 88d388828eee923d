#pragma once

#include <functional>

#include "gl/matmul/product.h"

namespace tenure::gl {

/// A product's sizes as its tiles see them.
struct Tiling {
  explicit Tiling(const Product& product);
  /// Texels of a pixel's channels. Rows of a matrix that do not fill texels are laid out anew, and then have
  /// an even number, as tiles step through two at a time.
  int depth;
  /// Texels of a row of columns, in pairs.
  int groups;
  /// Tiles above one another, for one product of the batch.
  int tiles;
  int products;
};

/// The product's input with its channels in whole texels: itself, or a copy.
Tensor in_texels(const Product& product, const Tiling& tiling);

/// Whether unfold() is the better way, for inputs on the CPU that must be laid out anyway.
bool suits_unfolding(const Product& product);
/// The product of matrices that is left once the windows are unfolded; its input is unfold()'s.
Product unfolded(const Product& product);
/// Each output pixel's window as a row of whole texels, taps and channels side by side; made on the CPU. Few
/// channels need not fill a texel for each tap then, and there is no program to compile.
Tensor unfold(const Product& product, const Tiling& unfolded);

/// The shape of a packed filter: for four columns, for each tap and each channel, a texel.
Shape packed_shape(const Tiling& tiling, int taps, int filters = 1);
/// The product's filter, packed; kept where the product says so.
Tensor packed_filter(const Product& product, const Tiling& tiling);
/// What `packed` keeps, made by pack() of a filter when there is nothing of that shape, or when it was lost.
const Tensor& keep_packed(Tensor& packed, const Shape& shape, const Tensor& filter,
                          const std::function<Tensor()>& pack);

/// From tiles to the rows of the product's output, activated.
void untile(const Product& product, const Tiling& tiling, const Tensor& tiles);

}  // namespace tenure::gl
