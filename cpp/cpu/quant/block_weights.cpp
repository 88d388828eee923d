#include "cpu/quant/block_weights.h"

#include <algorithm>

#include "cpu/elementwise/elementwise.h"
#include "cpu/simd/simd_wide.h"

namespace tenure::cpu {
namespace {

using simd::F32;
using simd::I16;
using simd::kLanes;

/// Bytes that are unpacked together.
constexpr int kGroupBytes = 8;

/// Converts eight integers to float32 weights.
TENURE_INLINE void store_weights(I16 x, F32 zero, F32 scale, float* to) {
  store(to, scale * (simd::to_float(simd::widen_low(x)) - zero));
  store(to + kLanes, scale * (simd::to_float(simd::widen_high(x)) - zero));
}

/// Converts the integers of eight bytes to float32 weights, in order.
template <int kBits>
TENURE_INLINE void dequantize_group(const std::uint8_t* from, F32 zero, F32 scale, float* to) {
  const I16 bytes = I16::load(from);
  constexpr int kWidth = 2 * kLanes;
  const I16 mask((1 << kBits) - 1);
  if constexpr (kBits == 8) {
    store_weights(bytes, zero, scale, to);
  } else if constexpr (kBits == 4) {
    const I16 even = bytes & mask;
    const I16 odd = bytes >> 4;
    store_weights(simd::interleave_low(even, odd), zero, scale, to);
    store_weights(simd::interleave_high(even, odd), zero, scale, to + kWidth);
  } else {
    const I16 first = bytes & mask;
    const I16 second = bytes >> 2 & mask;
    const I16 third = bytes >> 4 & mask;
    const I16 fourth = bytes >> 6;
    const I16 even[] = {simd::interleave_low(first, third), simd::interleave_high(first, third)};
    const I16 odd[] = {simd::interleave_low(second, fourth), simd::interleave_high(second, fourth)};
    for (int i = 0; i < 2; ++i, to += 2 * kWidth) {
      store_weights(simd::interleave_low(even[i], odd[i]), zero, scale, to);
      store_weights(simd::interleave_high(even[i], odd[i]), zero, scale, to + kWidth);
    }
  }
}

template <int kBits>
[[gnu::noinline]] void dequantize_row(const BlockWeights& weights, int row, float* to) {
  constexpr int kGroupWeights = kGroupBytes * 8 / kBits;
  const std::uint8_t* from = weights.packed(row, 0);
  const float* const scales = weights.scales(row);
  const bool has_float_zeros = weights.has_float_zeros();
  const int bytes = weights.block_bytes();
  const int blocks = weights.blocks();
#pragma GCC unroll 1
  for (int block = 0; block < blocks; ++block) {
    const float scale = scales[block];
    const float zero = has_float_zeros ? weights.float_zero_point(row, block)
                                       : static_cast<float>(weights.zero_point(row, block));
    int left = bytes;
#pragma GCC unroll 1
    for (; left >= kGroupBytes; left -= kGroupBytes, from += kGroupBytes, to += kGroupWeights)
      dequantize_group<kBits>(from, zero, scale, to);
#pragma GCC unroll 1
    for (; left > 0; --left, ++from) {
      for (int bit = 0; bit < 8; bit += kBits)
        *to++ = scale * (static_cast<float>(*from >> bit & ((1 << kBits) - 1)) - zero);
    }
  }
}

}  // namespace

Bytes::Bytes(const Tensor& x) {
  if (!x) return;
  const NarrowIntegers* narrow = NarrowIntegers::of(x);
  if (narrow && narrow->bits() == 8 && narrow->transposed_rows() == 0) {
    data_ = narrow->stored();
    return;
  }
  copy_ = Scratch<std::uint8_t>(x.elements() + Storage::kSlack);
  const auto values = x.values<std::int32_t>();
  std::transform(values.begin(), values.end(), copy_.data(),
                 [](std::int32_t value) { return static_cast<std::uint8_t>(value); });
  data_ = copy_.data();
}

BlockWeights::BlockWeights(Inputs in, int first, const QuantizedBlocksAttrs& attrs)
    : rows_(in[first].dim(0)),
      depth_(attrs.k),
      bits_(attrs.bits),
      blocks_(count_blocks(attrs)),
      block_size_(attrs.block_size),
      block_bytes_(tenure::block_bytes(attrs)),
      zero_bytes_(zero_point_bytes(attrs)),
      packed_(in[first]),
      scales_(in[first + 1].data<float>()),
      zeros_(in.has(first + 2) && in[first + 2].dtype() == DType::kInt32 ? in[first + 2] : Tensor()),
      packed_zeros_(zeros_.data()) {
  if (in.has(first + 2) && in[first + 2].dtype() == DType::kFloat32)
    float_zeros_ = in[first + 2].data<float>();
}

void BlockWeights::dequantize_row(int row, float* to) const {
  switch (bits_) {
    case 2: return cpu::dequantize_row<2>(*this, row, to);
    case 4: return cpu::dequantize_row<4>(*this, row, to);
    default: return cpu::dequantize_row<8>(*this, row, to);
  }
}

}  // namespace tenure::cpu
