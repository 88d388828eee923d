#pragma once

#include "import/tflite/row.h"

/// The options of custom ops, whose bytes the reader gives to their nodes.
namespace tenure::tflite {

/// Larger strides and windows would overflow sums of positions.
inline constexpr std::int32_t kMaxExtent = 1 << 20;

/// Returns the bytes of a node's options.
std::span<const std::byte> read_option_bytes(const Call& call);
/// Returns number i of options that are a list of int32 values. Throws if there is none.
std::int32_t read_option_integer(const Call& call, std::size_t i);

}  // namespace tenure::tflite
