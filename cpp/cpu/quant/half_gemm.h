#pragma once

#include "core/memory/half_floats.h"
#include "cpu/gemm/gemm.h"

namespace tenure::cpu {

/// View of a right-hand matrix [depth, columns] of halves, or of its transpose [columns, depth].
struct HalfMatrix {
  const std::uint16_t* data = nullptr;
  int depth = 0;
  int columns = 0;
  bool transposed = false;
  bool has_many_subnormals = false;
};

/// Computes c[rows, columns] = activation(scale * (a * b) + bias) on several threads, without a copy of b in
/// float32. `a` is [rows, depth], or [depth, rows] if `transpose_a`. Ignores residual, slopes and post-op.
void multiply_halves(const float* a, int rows, bool transpose_a, const HalfMatrix& b, float* c,
                     const gemm::Epilogue& epilogue);

}  // namespace tenure::cpu
