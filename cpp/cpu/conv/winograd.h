#pragma once

#include <memory>

#include "cpu/gemm/gemm.h"
#include "shape_util/conv.h"

/// Convolutions with windows of 3 x 3 by fewer multiplications than sums over windows take, after S. Winograd
/// (Arithmetic Complexity of Computations, 1980): inputs and filter are transformed, multiplied point by
/// point, summed over the channels and transformed back. Results differ from sums of products by less than
/// 1e-5 of the largest, for some hundred channels.
namespace tenure::cpu::winograd {

enum class Form : std::uint8_t {
  kNone,
  kFour,     ///< windows that move by one, in tiles of 4 x 4 output pixels
  kStrided,  ///< windows that move by two, in tiles of 2 x 2
};

/// The form that is faster than a product over windows; `prepared` where the filter is transformed
/// beforehand.
Form form_of(const ConvGeometry& g, bool prepared);

/// The filter [3,3,C,OC] as a form wants it.
gemm::PackedB transform(Form form, const float* filter, int in_channels, int out_channels);

/// One convolution, tiles of which make blocks.
class Convolution {
 public:
  Convolution() = default;
  Convolution(const Convolution&) = delete;
  Convolution& operator=(const Convolution&) = delete;
  virtual ~Convolution() = default;

  /// How many blocks there are, and how many floats of its own each needs while it is computed.
  virtual int blocks() const = 0;
  virtual std::size_t scratch_size() const = 0;
  /// What a block costs, in units of grain_of().
  virtual std::size_t block_work() const = 0;
  virtual void run(int block, float* scratch) const = 0;
};

/// Of what is alive as long as it is; the filter is transformed.
std::unique_ptr<Convolution> convolution(Form form, const ConvGeometry& g, const float* x,
                                         const gemm::PackedB& filter, const gemm::Epilogue& epilogue,
                                         float* out);

}  // namespace tenure::cpu::winograd
