#include "cpu/quant/byte_dot.h"

#include "cpu/quant/byte_epilogue.h"

#if defined(TENURE_HAS_BYTE_DOTS)

namespace tenure::cpu {
namespace {

using simd::I32;
using simd::RawI32;

/// MR: rows of the micro-kernel. The sums of six rows, two vectors of the panel and one of a row fit into the
/// 15 registers that V8 uses, and are enough for the instruction's latency of five cycles at two per cycle.
constexpr int kMR = 6;
/// Rows of the tile for those that are left over.
constexpr int kLowMR = 3;

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

/// Adds the products of four rows of the panel.
template <int kRows>
void add_quad(I32 (&sum)[kRows][2], const std::int8_t* panel, const std::uint8_t* const (&row)[kRows],
              int k) {
  const RawI32 low = load_bytes(panel);
  const RawI32 high = load_bytes(panel + kVectorBytes);
#pragma GCC unroll 6
  for (int r = 0; r < kRows; ++r) {
    const RawI32 quad = load_quad(row[r] + k);
    sum[r][0] = add_dots(low, quad, sum[r][0]);
    sum[r][1] = add_dots(high, quad, sum[r][1]);
  }
}

/// Computes the results of kRows rows. The bytes of kUnits units are adjacent.
template <int kRows, int kUnits>
[[gnu::noinline]] void multiply_tile(const std::uint8_t* const* rows, const ByteRows& a,
                                     const std::int8_t* panel, const ByteEpilogue& epilogue, std::byte* to,
                                     std::size_t stride) {
  constexpr int kQuad = 4;
  constexpr int kUnitBytes = 8;
  I32 sum[kRows][2];
  const std::uint8_t* base[kRows];
  for (int r = 0; r < kRows; ++r) {
    base[r] = rows[r];
    sum[r][0] = I32::load(epilogue.bias);
    sum[r][1] = I32::load(epilogue.bias + simd::kLanes);
  }
  const std::int32_t* const end = a.offsets + a.units;
#pragma GCC unroll 1
  for (const std::int32_t* offset = a.offsets; offset != end; offset += kUnits) {
    const std::uint8_t* row[kRows];
#pragma GCC unroll 6
    for (int r = 0; r < kRows; ++r) row[r] = base[r] + *offset;
#pragma GCC unroll 4
    for (int k = 0; k < kUnits * kUnitBytes; k += kQuad, panel += 2 * kVectorBytes)
      add_quad(sum, panel, row, k);
  }
  ByteVectorEpilogue(epilogue).store(sum, to, stride);
}

/// Computes tiles of kRows rows from `row` on while they fit. Returns the first row that is left over.
template <int kRows, int kUnits = 1>
int multiply_tiles(const ByteRows& a, int row, const std::int8_t* panel, const ByteEpilogue& epilogue,
                   std::byte* out, std::size_t stride) {
  for (; row + kRows <= a.count; row += kRows)
    multiply_tile<kRows, kUnits>(a.rows + row, a, panel, epilogue,
                                 out + static_cast<std::size_t>(row) * stride, stride);
  return row;
}

void multiply(const ByteRows& a, const std::int8_t* panel, const ByteEpilogue& epilogue, std::byte* out,
              std::size_t stride) {
  // Two units at a time take up to a tenth less time, but a few more per tile.
  constexpr int kMinUnits = 8;
  int row = a.are_paired && a.units >= kMinUnits ? multiply_tiles<kMR, 2>(a, 0, panel, epilogue, out, stride)
                                                 : multiply_tiles<kMR>(a, 0, panel, epilogue, out, stride);
  row = multiply_tiles<kLowMR>(a, row, panel, epilogue, out, stride);
  multiply_tiles<1>(a, row, panel, epilogue, out, stride);
}

/// True if the instruction is exact for all bytes. Specifications let it read the second operand as signed,
/// and saturate sums of two products; one version of V8 computes it wrongly.
bool is_exact() {
  // Read through volatile, as the compiler would compute the result of constants.
  volatile std::int8_t weights[kVectorBytes];
  volatile std::uint8_t bytes[kVectorBytes];
  std::int32_t want[simd::kLanes] = {};
  std::int8_t a[kVectorBytes];
  std::uint8_t b[kVectorBytes];
  for (int trial = 0; trial < kVectorBytes; ++trial) {
    for (int i = 0; i < kVectorBytes; ++i) {
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

ByteKernels find_byte_kernels() {
  static const bool kExact = is_exact();
  return kExact ? ByteKernels{multiply, convolve_depthwise_bytes} : ByteKernels{};
}

}  // namespace tenure::cpu

#else

namespace tenure::cpu {
ByteKernels find_byte_kernels() { return {}; }
}  // namespace tenure::cpu

#endif
