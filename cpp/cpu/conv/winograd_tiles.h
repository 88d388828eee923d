#pragma once

#include "cpu/conv/winograd.h"
#include "cpu/gemm/epilogue.h"

/// Code that the forms of winograd.h share, and their entry points.
namespace tenure::cpu::winograd {

/// Operands of a convolution.
struct Operands {
  const ConvGeometry& g;
  const float* x;
  const gemm::PackedB& filter;
  gemm::Epilogue epilogue;
  float* out;
};

/// A convolution in square tiles.
class TiledConvolution : public Convolution {
 public:
  int blocks() const override { return (count_ + tiles_ - 1) / tiles_; }

 protected:
  /// Origin and extent of a tile of the output, clipped at the output's edges.
  struct TileOrigin {
    const float* image;
    float* out;
    int y;
    int x;
    int height;
    int width;
  };

  /// Splits the output into tiles of `size` x `size` pixels, each computed from `in_size` x `in_size` input
  /// pixels, in as few blocks of up to `most` tiles as possible.
  TiledConvolution(const Operands& operands, int size, int in_size, int most);

  /// Returns the number of tiles in a block.
  int tiles_in(int block) const;
  TileOrigin tile_origin(int tile) const;
  /// Fills the addresses of the input pixels of a tile; pixels in the padding get `zeros`.
  void fill_input_pointers(const TileOrigin& origin, const float* zeros, const float** pixels) const;
  /// Applies the epilogue to the sums of four channels of an output pixel, from `c` on, and stores them.
  /// Activations other than clamps are left to activate_tile().
  void store_pixel(simd::F32 sum, int c, const gemm::VectorEpilogue& epilogue, float* pixel) const {
    store_up_to(pixel, epilogue(sum, pixel, c), static_cast<std::size_t>(operands_.g.out_channels - c));
  }
  /// Applies the activations that store_pixel() does not.
  void activate_tile(const TileOrigin& origin) const;
  /// Returns the row stride of the output in floats.
  std::size_t out_row() const;

  Operands operands_;
  int tiles_;  ///< per block

 private:
  int size_;
  int in_size_;
  int down_;
  int across_;
  int count_;
};

/// Transforms the columns of a 2D tile, the first half of a separable transform. at(y, x) returns a value of
/// one of kAcross columns; points(column, to) transforms kFrom values of a column to kTo.
template <int kFrom, int kTo, int kAcross, class At, class Points>
[[gnu::always_inline]] inline void transform_columns(simd::F32 (&half)[kTo][kAcross], const At& at,
                                                     const Points& points) {
#pragma GCC unroll 1
  for (int x = 0; x < kAcross; ++x) {
    simd::F32 column[kFrom];
    simd::F32 to[kTo];
    for (int y = 0; y < kFrom; ++y) column[y] = at(y, x);
    points(column, to);
    for (int y = 0; y < kTo; ++y) half[y][x] = to[y];
  }
}

namespace four {
bool is_profitable(const ConvGeometry& g, bool prepared);
gemm::PackedB transform(const float* filter, int in_channels, int out_channels);
std::unique_ptr<Convolution> convolution(const Operands& operands);
}  // namespace four

namespace strided {
bool is_profitable(const ConvGeometry& g, bool prepared);
gemm::PackedB transform(const float* filter, int in_channels, int out_channels);
std::unique_ptr<Convolution> convolution(const Operands& operands);
}  // namespace strided

}  // namespace tenure::cpu::winograd
