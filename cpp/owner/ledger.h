#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensor.h"

#ifdef TENURE_DEBUG
#include <vector>
#endif

namespace tenure::ledger {

/// Kind of an entry, which is followed by the words listed here. `owner` is the slot of a scope, 0 for
/// kUnscoped, or -1 for kRetained.
enum Entry : std::int32_t {
  kBorn,    ///< handle in two words, owner, dtype, rank, extents ...
  kDied,    ///< handle
  kMoved,   ///< handle, owner
  kOpened,  ///< owner, its parent
  kClosed,  ///< owner
};

/// Log of what happens to handles and scopes, in order. Only a debug build has it, and only after
/// listen(true); in other builds the functions do nothing.
#ifdef TENURE_DEBUG
/// Starts or stops the log, and clears it.
void listen(bool on);
void born(std::uint64_t handle, std::uint32_t owner, const Tensor& tensor);
void died(std::uint64_t handle);
void moved(std::uint64_t handle, std::uint32_t owner);
void opened(std::uint32_t owner, std::uint32_t parent);
void closed(std::uint32_t owner);
/// Returns the number of words of entries since the last take().
std::size_t words();
/// Returns the entries since the last call, concatenated. They stay valid until the next call.
const std::vector<std::int32_t>& take();
#else
inline void born(std::uint64_t /*handle*/, std::uint32_t /*owner*/, const Tensor& /*tensor*/) {}
inline void died(std::uint64_t /*handle*/) {}
inline void moved(std::uint64_t /*handle*/, std::uint32_t /*owner*/) {}
inline void opened(std::uint32_t /*owner*/, std::uint32_t /*parent*/) {}
inline void closed(std::uint32_t /*owner*/) {}
#endif

}  // namespace tenure::ledger
