#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/elementwise/elementwise.h"
#include "cpu/gemm/gemm.h"
#include "cpu/simd/expressions.h"

namespace tenure::cpu::gemm {

/// Returns the distance in floats from `from` to `to`, which may be in another array.
inline std::ptrdiff_t distance(const float* from, const float* to) {
  const auto bytes = reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  return static_cast<std::ptrdiff_t>(bytes) / static_cast<std::ptrdiff_t>(sizeof(float));
}

/// The part of an Epilogue that kernels apply to vectors of sums before they store them: the bias, the
/// residual, and then a clamp or a PReLU. Other activations are left to activate(), the scale to the caller.
struct VectorEpilogue {
  VectorEpilogue() = default;
  explicit VectorEpilogue(const Epilogue& epilogue)
      : bias(epilogue.bias),
        adds_residual(epilogue.residual != nullptr),
        residual_offset(adds_residual ? distance(epilogue.result, epilogue.residual) : 0),
        slopes(epilogue.slopes),
        clamp(get_clamp(epilogue.activation)),
        has_clamp(!clamp.is_open()) {}

  /// Returns the epilogue of the columns from `first` on.
  VectorEpilogue from_column(int first) const {
    VectorEpilogue part = *this;
    if (bias) part.bias += first;
    if (slopes) part.slopes += first;
    return part;
  }

  /// Applies the epilogue to a tile of sums. `out` has the address of each row's outputs, and `column` is
  /// that of the first sums. Always inlined: as a separate function, V8 keeps the sums in memory.
  template <int kRows, int kVectors>
  [[gnu::always_inline]] void apply(simd::F32 (&sum)[kRows][kVectors], float* const (&out)[kRows],
                                    int column = 0) const {
    using simd::F32;
    using simd::kLanes;
    // Added to the complete sums: sums that begin at a bias far greater than the products would be rounded to
    // its precision at every addition.
    if (bias) {
      for (int v = 0; v < kVectors; ++v) {
        const F32 b = load(bias + column + v * kLanes);
        for (int r = 0; r < kRows; ++r) sum[r][v] = sum[r][v] + b;
      }
    }
    if (adds_residual) {
      for (int r = 0; r < kRows; ++r) {
        const float* residual = out[r] + residual_offset;
        for (int v = 0; v < kVectors; ++v) sum[r][v] = sum[r][v] + load(residual + v * kLanes);
      }
    }
    if (has_clamp) {
      for (int v = 0; v < kVectors; ++v) {
        for (int r = 0; r < kRows; ++r) sum[r][v] = clamp(sum[r][v]);
      }
    } else if (slopes) {
      for (int v = 0; v < kVectors; ++v) {
        const F32 slope = load(slopes + column + v * kLanes);
        for (int r = 0; r < kRows; ++r) sum[r][v] = expressions::binary_prelu::apply(sum[r][v], slope);
      }
    }
  }

  /// Returns a vector of sums after the epilogue; see apply().
  [[gnu::always_inline]] simd::F32 operator()(simd::F32 sum, float* out, int column) const {
    simd::F32 tile[1][1] = {{sum}};
    float* const outs[] = {out};
    apply(tile, outs, column);
    return tile[0][0];
  }

  const float* bias = nullptr;
  bool adds_residual = false;
  std::ptrdiff_t residual_offset = 0;  ///< distance from an output to its residual
  const float* slopes = nullptr;
  Clamp clamp = {};
  bool has_clamp = false;  ///< true if `clamp` has an effect
};

}  // namespace tenure::cpu::gemm
