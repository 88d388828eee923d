#include "cpu/quant/byte_dot.h"
#include "cpu/quant/byte_epilogue.h"

#if defined(TENURE_HAS_BYTE_DOTS)

namespace tenure::cpu {
namespace {

using simd::I16;
using simd::I32;
using simd::RawI32;

/// Output pixels of a tile: the weights are loaded once for all of them.
constexpr int kTilePixels = 4;
/// Bytes of a pixel whose rows are interleaved: kMaxWindowHeight of each of eight channels.
constexpr int kPixelBytes = 2 * kVectorBytes;

/// Writes the bytes of the window's rows next to each other, for each channel of each pixel.
void interleave_rows(const ByteTaps& taps) {
  const std::uint8_t* a = taps.rows[0];
  const std::uint8_t* b = taps.rows[1];
  const std::uint8_t* c = taps.rows[2];
  const std::uint8_t* d = taps.rows[3];
  const std::size_t stride = taps.pixel_stride;
  std::uint8_t* to = taps.scratch;
#pragma GCC unroll 1
  for (int i = 0; i < taps.in_pixels; ++i, to += kPixelBytes) {
    const I16 first = simd::interleave_bytes(simd::load_half(a), simd::load_half(b));
    const I16 second = simd::interleave_bytes(simd::load_half(c), simd::load_half(d));
    const I16 low = simd::interleave_low(first, second);
    const I16 high = simd::interleave_high(first, second);
    std::memcpy(to, &low.v, kVectorBytes);
    std::memcpy(to + kVectorBytes, &high.v, kVectorBytes);
    a += stride;
    b += stride;
    c += stride;
    d += stride;
  }
}

/// Computes kPixels pixels from pixel number `first` on.
template <int kPixels>
void compute_pixels(const ByteTaps& taps, int first, const ByteEpilogue& epilogue,
                    const ByteVectorEpilogue& tile, std::byte* out, std::size_t stride) {
  I32 sum[kPixels][2];
  for (I32(&pixel)[2] : sum) {
    pixel[0] = I32::load(epilogue.bias);
    pixel[1] = I32::load(epilogue.bias + simd::kLanes);
  }
  const std::size_t pixel_stride = static_cast<std::size_t>(taps.stride) * kPixelBytes;
  const std::size_t column_stride = static_cast<std::size_t>(taps.dilation) * kPixelBytes;
  const std::uint8_t* column = taps.scratch + static_cast<std::size_t>(first) * pixel_stride;
  const std::int8_t* weights = taps.weights;
  const std::int8_t* const end = weights + taps.window_width * kPixelBytes;
#pragma GCC unroll 1
  for (; weights != end; weights += kPixelBytes, column += column_stride) {
    const RawI32 low = load_bytes(weights);
    const RawI32 high = load_bytes(weights + kVectorBytes);
    const std::uint8_t* x = column;
#pragma GCC unroll 4
    for (int i = 0; i < kPixels; ++i, x += pixel_stride) {
      sum[i][0] = add_dots(low, load_bytes(x), sum[i][0]);
      sum[i][1] = add_dots(high, load_bytes(x + kVectorBytes), sum[i][1]);
    }
  }
  tile.store(sum, out + static_cast<std::size_t>(first) * stride, stride);
}

}  // namespace

void convolve_depthwise_bytes(const ByteTaps& taps, const ByteEpilogue& epilogue, std::byte* out,
                              std::size_t stride) {
  interleave_rows(taps);
  const ByteVectorEpilogue tile(epilogue);
  int done = 0;
#pragma GCC unroll 1
  for (; done + kTilePixels <= taps.out_pixels; done += kTilePixels)
    compute_pixels<kTilePixels>(taps, done, epilogue, tile, out, stride);
#pragma GCC unroll 1
  for (; done < taps.out_pixels; ++done) compute_pixels<1>(taps, done, epilogue, tile, out, stride);
}

}  // namespace tenure::cpu

#endif
