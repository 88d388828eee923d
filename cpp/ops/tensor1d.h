#pragma once

#include <vector>

#include "core/tensor.h"

namespace tenure {

/// Returns a tensor of rank 1 with these values.
template <class T>
Tensor tensor1d(const std::vector<T>& values) {
  return Tensor::from(std::span<const T>(values), {static_cast<std::int32_t>(values.size())});
}

}  // namespace tenure
