#pragma once

#include <cstdint>

#include "core/attrs.h"

namespace tenure {

/// Returns the number of blocks in a row of weights.
constexpr std::int32_t count_blocks(const QuantizedBlocksAttrs& attrs) {
  return static_cast<std::int32_t>((std::int64_t{attrs.k} + attrs.block_size - 1) / attrs.block_size);
}
/// Returns the bytes of a block.
constexpr std::int32_t block_bytes(const QuantizedBlocksAttrs& attrs) {
  return static_cast<std::int32_t>(std::int64_t{attrs.block_size} * attrs.bits / 8);
}
/// Returns the bytes of the integer zero points of a row.
constexpr std::int32_t zero_point_bytes(const QuantizedBlocksAttrs& attrs) {
  return static_cast<std::int32_t>((std::int64_t{count_blocks(attrs)} * attrs.bits + 7) / 8);
}

}  // namespace tenure
