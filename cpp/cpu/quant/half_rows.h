#pragma once

#include "cpu/quant/half_gemm.h"
#include "cpu/threads/scratch.h"

/// Products of few rows with halves, which are converted in registers.
namespace tenure::cpu {

/// The rows of a left-hand matrix [rows, depth], multiplied by 2^112 where the halves are read times 2^-112.
class HalfFactors {
 public:
  HalfFactors(const float* a, int rows, const HalfMatrix& b);

  /// Adds the products of the rows with `count` columns of the matrix from `first` on to c, [rows, columns].
  void add_products(int first, int count, float* c) const;

 private:
  const float* a_;
  int rows_;
  HalfMatrix b_;
  Scratch<float> scaled_;
  bool is_scaled_ = false;
};

/// Converts `rows` rows of `width` halves, `stride` apart, to float32, `to_stride` apart.
void convert_rows(const std::uint16_t* from, std::size_t stride, int width, int rows, float* to,
                  std::size_t to_stride);

}  // namespace tenure::cpu
