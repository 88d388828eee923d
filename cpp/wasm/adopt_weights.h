#pragma once

#include "model/files/weights.h"

namespace tenure::wasm {

/// Takes ownership of a block of tn_allocate() with weights, which may stay in it.
inline WeightData adopt_weights(std::uintptr_t block, std::size_t bytes) {
  return WeightData(Storage::adopt(reinterpret_cast<void*>(block), bytes));
}

}  // namespace tenure::wasm
