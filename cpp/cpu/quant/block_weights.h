#pragma once

#include "core/memory/narrow_integers.h"
#include "core/run/op.h"
#include "cpu/simd/simd_integer.h"
#include "cpu/threads/scratch.h"
#include "shape_util/quantized_blocks.h"

/// Weights of 2, 4 or 8 bits that share a scale and a zero point in blocks, and products with them.
namespace tenure::cpu {

/// The bytes of an int32 tensor whose elements are bytes: those of the file, or a copy.
class Bytes {
 public:
  explicit Bytes(const Tensor& x);
  const std::uint8_t* data() const { return data_; }

 private:
  const std::uint8_t* data_ = nullptr;
  Scratch<std::uint8_t> copy_;
};

/// The weights [n, k] of an op's inputs. All addresses are read when it is made, on the calling thread.
class BlockWeights {
 public:
  /// Reads packed bytes, scales and zero points from the inputs at `first` and behind it.
  BlockWeights(Inputs in, int first, const QuantizedBlocksAttrs& attrs);

  int rows() const { return rows_; }
  int depth() const { return depth_; }
  int bits() const { return bits_; }
  int blocks() const { return blocks_; }
  int block_size() const { return block_size_; }
  int block_bytes() const { return block_bytes_; }
  /// Returns the depth with the last block whole.
  int padded_depth() const { return blocks_ * block_size_; }

  /// Returns the packed bytes of a block.
  const std::uint8_t* packed(int row, int block) const {
    return packed_.data() + at(row, block) * static_cast<std::size_t>(block_bytes_);
  }
  /// Returns the scales of a row's blocks.
  const float* scales(int row) const { return scales_ + at(row, 0); }
  float scale(int row, int block) const { return scales_[at(row, block)]; }
  /// Returns the zero point of a block, or 0 if it is a float.
  std::int32_t zero_point(int row, int block) const {
    if (!packed_zeros_) return float_zeros_ ? 0 : 1 << (bits_ - 1);
    const std::uint8_t* zeros =
        packed_zeros_ + static_cast<std::size_t>(row) * static_cast<std::size_t>(zero_bytes_);
    const int bit = block * bits_;
    return zeros[bit / 8] >> bit % 8 & ((1 << bits_) - 1);
  }
  /// Returns a zero point that is a float, or 0.
  float float_zero_point(int row, int block) const { return float_zeros_ ? float_zeros_[at(row, block)] : 0; }
  bool has_packed_zeros() const { return packed_zeros_ != nullptr; }
  bool has_float_zeros() const { return float_zeros_ != nullptr; }

  /// Writes the float32 weights of a row, padded_depth() of them.
  void dequantize_row(int row, float* to) const;

 private:
  std::size_t at(int row, int block) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(blocks_) +
           static_cast<std::size_t>(block);
  }

  int rows_;
  int depth_;
  int bits_;
  int blocks_;
  int block_size_;
  int block_bytes_;
  int zero_bytes_;
  Bytes packed_;
  const float* scales_;
  Bytes zeros_;
  const std::uint8_t* packed_zeros_;
  const float* float_zeros_ = nullptr;
};

/// A row of float32 in fixed point: value = (high * 2^15 + low) * unit, of 30 bits, which is more than a
/// float has. Its elements are in the order in which BlockWeights unpacks eight bytes.
class FixedPointRow {
 public:
  static constexpr int kLowBits = 15;

  FixedPointRow(int padded_depth, int block_size);
  /// Reads `depth` values. Returns false if one is infinite or NaN.
  bool fill(const float* values, int depth, int bits);
  const std::int16_t* high(int k) const { return halves_.data() + k; }
  const std::int16_t* low(int k) const { return halves_.data() + padded_depth_ + k; }
  /// Returns the sum of the elements of a block, in units.
  float block_sum(int block) const { return sums_.data()[block]; }
  float unit() const { return unit_; }

 private:
  int padded_depth_;
  int block_size_;
  Scratch<std::int16_t> halves_;
  Scratch<float> sums_;
  float unit_ = 1;
};

/// True if multiply_row() can read the weights.
bool can_multiply_row(const BlockWeights& weights);
/// Computes out[n] = a * weights[n]' for all rows n, on several threads.
void multiply_row(const FixedPointRow& a, const BlockWeights& weights, float* out);

}  // namespace tenure::cpu
