#pragma once

#include <cstddef>

namespace tenure {

/// Stands for no budget.
constexpr std::size_t kNoBudget = ~std::size_t{0};

/// A bound on what allocate() has taken from the system, pools included. Where it, or the memory itself,
/// ends: everything that can be freed is, and the request is tried once more before Error(kOutOfMemory). A
/// budget below what is in use is kept from the next request on.
void set_memory_budget(std::size_t bytes);
std::size_t memory_budget();

/// What a block of allocate(bytes) takes, rounded up as it is.
std::size_t allocated_size(std::size_t bytes);

}  // namespace tenure
