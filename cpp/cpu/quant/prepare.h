#pragma once

#include <memory>

#include "core/run/backend.h"

namespace tenure {

/// Left-hand rows of bytes for a product: each has eight adjacent bytes at each of `offsets` from its
/// address.
struct ByteRows {
  const std::uint8_t* const* rows = nullptr;
  int count = 0;
  const std::int32_t* offsets = nullptr;
  int units = 0;
};

/// Computes the sums of bytes from 0 to 255 times a panel of eight columns of int8
/// (cpu/quant/integer_panels.h), eight for each row. Exact.
using ByteKernel = void (*)(const ByteRows& a, const std::int8_t* panel, std::int32_t* sums);

/// Packs the constant second input, integers of 8 bits, of mat_mul_integer, dynamic_quantize_mat_mul or
/// conv2d_integer. Convolutions call `multiply_bytes` unless it is null. Returns null if the input is not
/// constant or does not fit 8 bits. Not in the namespace of kernels, which may be compiled twice: those of
/// integers are compiled once.
std::unique_ptr<PreparedKernel> prepare_integer_kernel(Op op, Inputs in, AttrsView attrs,
                                                       ByteKernel multiply_bytes);

}  // namespace tenure
