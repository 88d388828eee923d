#pragma once

#include <memory>

#include "cpu/gemm/gemm.h"
#include "shape_util/conv.h"

/// Winograd convolutions with 3 x 3 windows, which take fewer multiplications than im2col products (S.
/// Winograd, Arithmetic Complexity of Computations, 1980). Input tiles and filter are transformed, multiplied
/// element by element, summed over the channels and transformed back. For some hundred channels, results
/// differ from sums of products by less than 1e-5 of the largest result.
namespace tenure::cpu::winograd {

enum class Form : std::uint8_t {
  kNone,
  kF4x4,     ///< F(4x4, 3x3): stride 1, tiles of 4 x 4 output pixels
  kStride2,  ///< stride 2, tiles of 2 x 2 output pixels
};

/// Returns the form that is faster than an im2col product, kNone if there is none. `prepared`: true if the
/// filter is transformed beforehand.
Form choose_form(const ConvGeometry& g, bool prepared);

/// Returns the filter [3,3,C,OC] transformed for `form`.
gemm::PackedB transform(Form form, const float* filter, int in_channels, int out_channels);

/// A convolution that is computed in blocks of tiles, which may run on different threads.
class Convolution {
 public:
  Convolution() = default;
  Convolution(const Convolution&) = delete;
  Convolution& operator=(const Convolution&) = delete;
  virtual ~Convolution() = default;

  /// Returns the number of blocks.
  virtual int blocks() const = 0;
  /// Returns the floats of scratch that run() needs.
  virtual std::size_t scratch_size() const = 0;
  /// Returns the cost of a block, in units of grain_size().
  virtual std::size_t block_work() const = 0;
  /// Computes one block, in scratch_size() floats that no concurrent call uses.
  virtual void run(int block, float* scratch) const = 0;
};

/// Returns a convolution with a transformed filter. The arguments must outlive it.
std::unique_ptr<Convolution> convolution(Form form, const ConvGeometry& g, const float* x,
                                         const gemm::PackedB& filter, const gemm::Epilogue& epilogue,
                                         float* out);

}  // namespace tenure::cpu::winograd
