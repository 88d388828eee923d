#pragma once

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "core/memory/allocator.h"
#include "model/files/weights.h"

namespace tenure::wasm {

/// Takes ownership of a block of tn_allocate() with weights, which may stay in it.
inline WeightData adopt_weights(std::uintptr_t block, std::size_t bytes) {
  return WeightData(Storage::adopt(reinterpret_cast<void*>(block), bytes));
}

/// Takes ownership of blocks of tn_allocate(), also if it throws. `table` has the address and the bytes of
/// each as uint32.
inline std::vector<StoragePtr> adopt_blocks(std::uintptr_t table, std::size_t count) {
  std::size_t next = 0;
  const auto take = [&] {
    std::uint32_t block[2];
    std::memcpy(block, reinterpret_cast<const std::byte*>(table) + next++ * sizeof(block), sizeof(block));
    return std::pair(reinterpret_cast<void*>(std::uintptr_t{block[0]}), std::size_t{block[1]});
  };
  try {
    std::vector<StoragePtr> storages;
    storages.reserve(count);
    while (next < count) {
      const auto [address, bytes] = take();
      storages.push_back(Storage::adopt(address, bytes));
    }
    return storages;
  } catch (...) {
    while (next < count) {
      const auto [address, bytes] = take();
      deallocate(address, bytes + Storage::kSlack);
    }
    throw;
  }
}

}  // namespace tenure::wasm
