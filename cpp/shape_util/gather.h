#pragma once

#include <span>

#include "core/error.h"
#include "core/tensor.h"

namespace tenure {

/// Throws unless all indices of a gather are in [0, extent).
inline void check_gather_indices(std::span<const std::int32_t> indices, std::int32_t extent) {
  for (const std::int32_t index : indices) {
    if (index < 0 || index >= extent)
      fail("GatherV2: the index value ", index, " is not in [0, ", extent - 1, "]");
  }
}

/// Throws unless the indices of a gather on a device are in [0, extent), as far as the CPU has them. Indices
/// that are only on the device are not downloaded to be checked: there, an index out of range selects 0.
inline void check_gather_indices_on_device(const Tensor& indices, std::int32_t extent) {
  if (indices.storage()->on_cpu() || extent == 0)
    check_gather_indices(indices.values<std::int32_t>(), extent);
}

}  // namespace tenure
