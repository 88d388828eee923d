#pragma once

#include "cpu/gemm.h"
#include "geometry/conv.h"

/// Convolutions with windows of 3 x 3 that move by one, as 36 products over tiles of 4 x 4 output pixels: a
/// quarter of the multiplications. A. Lavin and S. Gray, Fast Algorithms for Convolutional Neural Networks,
/// 2015, F(4x4, 3x3). Results differ from sums of products by less than 1e-5 of the largest, for some hundred
/// channels.
namespace tenure::cpu::winograd {

/// Whether it is faster than a product over windows; `prepared` where the filter is transformed beforehand.
bool is_worthwhile(const ConvGeometry& g, bool prepared);

/// The filter [3,3,C,OC] as 36 matrices [C,OC], one below the other.
gemm::PackedB transform(const float* filter, int in_channels, int out_channels);

/// One convolution, tiles of which make blocks.
class Convolution {
 public:
  Convolution(const ConvGeometry& geometry, const float* x, const gemm::PackedB& filter,
              const gemm::Epilogue& epilogue, float* out);

  /// How many blocks there are, and how many floats of its own each needs while it is computed.
  int blocks() const;
  std::size_t scratch_size() const;
  /// What a block costs, in units of grain_of().
  std::size_t block_work() const;
  void run(int block, float* scratch) const;

 private:
  struct Place;
  Place place_of(int tile) const;
  void transform_output(const Place& place, const float* from, std::size_t step) const;

  const ConvGeometry& g_;
  const float* x_;
  const gemm::PackedB& filter_;
  gemm::Epilogue epilogue_;
  float* out_;
  int tiles_down_;
  int tiles_across_;
  int tiles_;    ///< in a block
  int in_step_;  ///< floats from a tile to the next, in each of the 36 matrices
  int out_step_;
  std::size_t zeros_;  ///< floats of a pixel in the padding
};

}  // namespace tenure::cpu::winograd
