#pragma once

#include <memory>

#include "core/run/backend.h"

namespace tenure {

/// Operations on the sums of a product of bytes before they are stored. The arrays have an element for each
/// column, and eight of them can be read.
struct ByteEpilogue {
  const std::int32_t* bias = nullptr;  ///< added to the sums
  /// Factors of the sums, which are then rounded, halves to even numbers, and clamped to `low` and `high`.
  /// Null for results of int32, the sums.
  const float* scales = nullptr;
  float low = 0;
  float high = 0;
  bool stores_bytes = false;  ///< stores distances from `low` as bytes, otherwise float32
};

/// Left-hand rows of bytes for a product: each has eight adjacent bytes at each of `offsets` from its
/// address.
struct ByteRows {
  const std::uint8_t* const* rows = nullptr;
  int count = 0;
  const std::int32_t* offsets = nullptr;
  int units = 0;
  bool are_paired = false;  ///< true if units 2 * i and 2 * i + 1 are adjacent
};

/// Multiplies bytes from 0 to 255 by a panel of eight columns of int8 (cpu/quant/integer_panels.h). Writes
/// eight results for each row, `stride` bytes from row to row. Exact.
using ByteKernel = void (*)(const ByteRows& a, const std::int8_t* panel, const ByteEpilogue& epilogue,
                            std::byte* out, std::size_t stride);

/// Maximum height of the windows of ByteTaps.
constexpr int kMaxWindowHeight = 4;

/// Windows of a depthwise convolution of bytes in one row of the output, for eight channels.
struct ByteTaps {
  const std::uint8_t* rows[kMaxWindowHeight] = {};  ///< first element of each of the window's rows
  std::size_t pixel_stride = 0;                     ///< bytes from a pixel of the input to the next
  int in_pixels = 0;
  int out_pixels = 0;
  int window_width = 0;
  int dilation = 1;
  int stride = 1;
  const std::int8_t* weights = nullptr;  ///< of each column of the window: kMaxWindowHeight for each channel
  std::uint8_t* scratch = nullptr;       ///< 8 * kMaxWindowHeight bytes for each of `in_pixels`
};

/// Sums the products of the windows. Writes eight results for each pixel, `stride` bytes from pixel to pixel.
/// Exact.
using ByteTapsKernel = void (*)(const ByteTaps& taps, const ByteEpilogue& epilogue, std::byte* out,
                                std::size_t stride);

/// Kernels of bytes, which need an instruction for products of bytes.
struct ByteKernels {
  ByteKernel multiply = nullptr;
  ByteTapsKernel convolve_depthwise = nullptr;
};

/// Packs the constant second input, integers of 8 bits, of mat_mul_integer, dynamic_quantize_mat_mul or
/// conv2d_integer. Convolutions call the kernels in `bytes` that are not null. Returns null if the input is
/// not constant or does not fit 8 bits. Not in the namespace of kernels, which may be compiled twice: those
/// of integers are compiled once.
std::unique_ptr<PreparedKernel> prepare_integer_kernel(Op op, Inputs in, AttrsView attrs,
                                                       const ByteKernels& bytes);

}  // namespace tenure
