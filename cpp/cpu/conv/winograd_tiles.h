#pragma once

#include "cpu/conv/winograd.h"
#include "cpu/elementwise/elementwise.h"
#include "cpu/simd/expressions.h"

/// What the forms of winograd.h have in common, and what it calls them by.
namespace tenure::cpu::winograd {

/// What a convolution is computed from.
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
  /// A tile of the output, as far as it is inside.
  struct Place {
    const float* image;
    float* out;
    int y;
    int x;
    int height;
    int width;
  };

  /// Tiles of `size` x `size` output pixels that are made from `in_size` x `in_size` input pixels, as few
  /// blocks of `most` as will do.
  TiledConvolution(const Operands& operands, int size, int in_size, int most);

  /// How many tiles a block has.
  int tiles_in(int block) const;
  Place place_of(int tile) const;
  /// The addresses of the input pixels that a tile is made from: of those in the padding, of zeros.
  void inputs_of(const Place& place, const float* zeros, const float** pixels) const;
  /// Adds to four channels of an output pixel, from `c` on, what comes after the products, and stores them.
  void store_pixel(simd::F32 sum, int c, Clamp clamp, float* pixel) const {
    const gemm::Epilogue& epilogue = of_.epilogue;
    if (epilogue.bias) sum = sum + load(epilogue.bias + c);
    if (epilogue.residual) sum = sum + load(epilogue.residual + (pixel - of_.out));
    if (epilogue.slopes) sum = expressions::binary_prelu::apply(sum, load(epilogue.slopes + c));
    store_up_to(pixel, clamp(sum), static_cast<std::size_t>(of_.g.out_channels - c));
  }
  /// What store_pixel() leaves to be done.
  void activate_tile(const Place& place) const;
  /// Floats from a row of the output to the next.
  std::size_t out_row() const;

  Operands of_;
  int tiles_;  ///< in a block

 private:
  int size_;
  int in_size_;
  int down_;
  int across_;
  int count_;
};

/// The first half of a transform that goes both ways: of each of so many columns, whose values `at` gives by
/// row and column, the points.
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
bool is_worthwhile(const ConvGeometry& g, bool prepared);
gemm::PackedB transform(const float* filter, int in_channels, int out_channels);
std::unique_ptr<Convolution> convolution(const Operands& operands);
}  // namespace four

namespace strided {
bool is_worthwhile(const ConvGeometry& g, bool prepared);
gemm::PackedB transform(const float* filter, int in_channels, int out_channels);
std::unique_ptr<Convolution> convolution(const Operands& operands);
}  // namespace strided

}  // namespace tenure::cpu::winograd
