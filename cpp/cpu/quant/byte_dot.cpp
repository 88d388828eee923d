#include "cpu/quant/byte_dot.h"

#include "cpu/quant/integer_panels.h"
#include "cpu/simd/simd.h"

// In WebAssembly only relaxed SIMD has the instruction. Natively its result is computed by others, so that
// tests take the same code paths.
#if !defined(__wasm_simd128__) || defined(__wasm_relaxed_simd__)

namespace tenure::cpu {
namespace {

using simd::I32;
using simd::RawI32;

/// Rows of the micro-kernel.
constexpr int kMR = 4;
constexpr int kNR = kIntegerNR;
constexpr int kBytes = 16;

/// Loads the elements of four rows and four columns.
RawI32 load_weights(const std::int8_t* from) {
  RawI32 weights;
  std::memcpy(&weights, from, sizeof weights);
  return weights;
}

/// Broadcasts the four bytes at `from`.
RawI32 load_quad(const std::uint8_t* from) {
#if defined(__wasm_simd128__)
  return (RawI32)wasm_v128_load32_splat(from);
#else
  std::int32_t quad;
  std::memcpy(&quad, from, sizeof quad);
  return I32(quad).v;
#endif
}

/// Adds to each lane the products of four int8 and four bytes from 0 to 255.
I32 add_dots(RawI32 weights, RawI32 bytes, I32 sums) {
#if defined(__wasm_relaxed_simd__)
  return (RawI32)wasm_i32x4_relaxed_dot_i8x16_i7x16_add((v128_t)weights, (v128_t)bytes, (v128_t)sums.v);
#else
  std::int8_t a[kBytes];
  std::uint8_t b[kBytes];
  std::memcpy(a, &weights, sizeof a);
  std::memcpy(b, &bytes, sizeof b);
  for (int i = 0; i < kBytes; ++i) sums.v[i / simd::kLanes] += a[i] * b[i];
  return sums;
#endif
}

/// Adds the products of four rows of the panel.
template <int kRows>
void add_quad(I32 (&sum)[kRows][2], const std::int8_t* panel, const std::uint8_t* const (&row)[kRows],
              int k) {
  const RawI32 low = load_weights(panel);
  const RawI32 high = load_weights(panel + kBytes);
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
    const RawI32 quad = load_quad(row[r] + k);
    sum[r][0] = add_dots(low, quad, sum[r][0]);
    sum[r][1] = add_dots(high, quad, sum[r][1]);
  }
}

/// Computes the sums of kRows rows.
template <int kRows>
[[gnu::noinline]] void multiply_tile(const std::uint8_t* const* rows, const ByteRows& a,
                                     const std::int8_t* panel, std::int32_t* to) {
  constexpr int kQuad = 4;
  I32 sum[kRows][2];
  const std::uint8_t* base[kRows];
  for (int r = 0; r < kRows; ++r) {
    base[r] = rows[r];
    sum[r][0] = sum[r][1] = I32(0);
  }
  const std::int32_t* const end = a.offsets + a.units;
#pragma GCC unroll 1
  for (const std::int32_t* offset = a.offsets; offset != end; ++offset, panel += 4 * kBytes) {
    const std::uint8_t* row[kRows];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) row[r] = base[r] + *offset;
    add_quad(sum, panel, row, 0);
    add_quad(sum, panel + 2 * kBytes, row, kQuad);
  }
  for (int r = 0; r < kRows; ++r, to += kNR) {
    sum[r][0].store(to);
    sum[r][1].store(to + simd::kLanes);
  }
}

void multiply(const ByteRows& a, const std::int8_t* panel, std::int32_t* sums) {
  int row = 0;
  for (; row + kMR <= a.count; row += kMR, sums += kMR * kNR)
    multiply_tile<kMR>(a.rows + row, a, panel, sums);
  for (; row < a.count; ++row, sums += kNR) multiply_tile<1>(a.rows + row, a, panel, sums);
}

/// True if the instruction is exact for all bytes. Specifications let it read the second operand as signed,
/// and saturate sums of two products; one version of V8 computes it wrongly.
bool is_exact() {
  // Read through volatile, as the compiler would compute the result of constants.
  volatile std::int8_t weights[kBytes];
  volatile std::uint8_t bytes[kBytes];
  std::int32_t want[simd::kLanes] = {};
  std::int8_t a[kBytes];
  std::uint8_t b[kBytes];
  for (int trial = 0; trial < kBytes; ++trial) {
    for (int i = 0; i < kBytes; ++i) {
      constexpr int kHigh = 127;
      constexpr int kByte = 255;
      weights[i] = static_cast<std::int8_t>(trial == 0   ? kHigh
                                            : trial == 1 ? -kHigh - 1
                                                         : i * 53 + trial * 31);
      bytes[i] = static_cast<std::uint8_t>(trial < 2 ? kByte : i * 91 + trial * 17);
      a[i] = weights[i];
      b[i] = bytes[i];
      want[i / simd::kLanes] += a[i] * b[i];
    }
    RawI32 x;
    RawI32 y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    const I32 got = add_dots(x, y, I32(0));
    for (int lane = 0; lane < simd::kLanes; ++lane) {
      if (got[lane] != want[lane]) return false;
      want[lane] = 0;
    }
  }
  return true;
}

}  // namespace

ByteKernel find_byte_kernel() {
  static const bool kExact = is_exact();
  return kExact ? multiply : nullptr;
}

}  // namespace tenure::cpu

#else

namespace tenure::cpu {
ByteKernel find_byte_kernel() { return nullptr; }
}  // namespace tenure::cpu

#endif
