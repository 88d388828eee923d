#pragma once

#include <algorithm>

#include "cpu/simd.h"

namespace tenure::cpu {

/// Four rows of four words become four columns.
template <class T>
  requires(sizeof(T) == 4)
void transpose_4x4(const T* in, std::ptrdiff_t in_step, T* out, std::ptrdiff_t out_step) {
  simd::RawI32 row[4];
  for (int i = 0; i < 4; ++i) std::memcpy(&row[i], in + i * in_step, sizeof row[i]);
  const simd::RawI32 low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
  const simd::RawI32 high01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
  const simd::RawI32 low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
  const simd::RawI32 high23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
  const simd::RawI32 column[4] = {__builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                                  __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                                  __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                                  __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
  for (int i = 0; i < 4; ++i) std::memcpy(out + i * out_step, &column[i], sizeof column[i]);
}

inline void transpose_4x4(const std::uint8_t* in, std::ptrdiff_t in_step, std::uint8_t* out,
                          std::ptrdiff_t out_step) {
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) out[r * out_step + c] = in[c * in_step + r];
  }
}

/// out[r * out_step + c] = in[c * in_step + r], for r < rows and c < columns.
template <class T>
void transpose_block(const T* in, std::ptrdiff_t in_step, T* out, std::ptrdiff_t out_step,
                     std::ptrdiff_t rows, std::ptrdiff_t columns) {
  // A tile's lines of both sides stay in the first-level cache.
  constexpr std::ptrdiff_t kTile = 16;
  for (std::ptrdiff_t r0 = 0; r0 < rows; r0 += kTile) {
    const std::ptrdiff_t r1 = std::min(r0 + kTile, rows);
    for (std::ptrdiff_t c0 = 0; c0 < columns; c0 += 4) {
      const std::ptrdiff_t c1 = std::min(c0 + 4, columns);
      std::ptrdiff_t r = r0;
      if (c1 - c0 == 4) {
        for (; r + 4 <= r1; r += 4)
          transpose_4x4(in + c0 * in_step + r, in_step, out + r * out_step + c0, out_step);
      }
      for (; r < r1; ++r) {
        for (std::ptrdiff_t c = c0; c < c1; ++c) out[r * out_step + c] = in[c * in_step + r];
      }
    }
  }
}

}  // namespace tenure::cpu
