#pragma once

#include <string_view>

#include "core/run/op.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

/// Weights [rows, attrs.k] of 2, 4 or 8 bits that share a scale and a zero point in blocks, which kernels
/// read as they are stored.
class BlockWeights {
 public:
  /// Reads packed bytes, scales and zero points from the inputs at `first` and behind it. Bytes that are
  /// int32 in memory are packed on the device.
  BlockWeights(Inputs in, int first, const QuantizedBlocksAttrs& attrs);

  /// Returns the weights of a row, with the last block whole.
  int padded_depth() const { return blocks_ * attrs_.block_size; }
  /// Adds the inputs and parameters of block_weights.wgsl, and declares zero_point().
  void add_to(Dispatch& dispatch) const;

 private:
  QuantizedBlocksAttrs attrs_;
  int blocks_;
  Tensor words_;
  Tensor scales_;
  Tensor zeros_;  ///< words, float32, or none
};

}  // namespace tenure::webgpu
