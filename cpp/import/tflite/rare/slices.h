#pragma once

#include <vector>

#include "model/executor/operands.h"

/// Helpers of STABLEHLO_GATHER and STABLEHLO_SCATTER, which read and write slices at indices.
namespace tenure::tflite {

/// Returns input 1, the indices of slices, with the axis of their coordinates as the last one.
Tensor read_starts(const executor::Call& call);
/// True if a list has a value.
bool contains(const std::vector<std::int32_t>& list, std::int32_t value);

}  // namespace tenure::tflite
