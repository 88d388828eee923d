#pragma once

#include "model/files/weights.h"

namespace tenure::wasm {

/// Takes over a block of tn_allocate(), in which weights may stay.
inline WeightData given_weights(std::uintptr_t block, std::size_t bytes) {
  return WeightData(Storage::adopt(reinterpret_cast<void*>(block), bytes));
}

}  // namespace tenure::wasm
