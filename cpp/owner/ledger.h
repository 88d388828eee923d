#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensor.h"

#ifdef TENURE_DEBUG
#include <vector>
#endif

namespace tenure::ledger {

/// What an entry tells; `owner` is the slot of a scope, 0 for the caller, or -1 for a holder.
enum Entry : std::int32_t {
  kBorn,    ///< handle in two words, owner, dtype, rank, extents ...
  kDied,    ///< handle
  kMoved,   ///< handle, owner
  kOpened,  ///< owner, the owner around it
  kClosed,  ///< owner
};

/// What happens to handles and scopes, in the order in which it happens. Only a debug build has it, and only
/// once somebody listens: elsewhere these are nothing.
#ifdef TENURE_DEBUG
void listen(bool on);
void born(std::uint64_t handle, std::uint32_t owner, const Tensor& tensor);
void died(std::uint64_t handle);
void moved(std::uint64_t handle, std::uint32_t owner);
void opened(std::uint32_t owner, std::uint32_t parent);
void closed(std::uint32_t owner);
/// How many words of entries there are since the last take().
std::size_t words();
/// The entries since the last call, one behind the other; they stay valid until the next call.
const std::vector<std::int32_t>& take();
#else
inline void born(std::uint64_t /*handle*/, std::uint32_t /*owner*/, const Tensor& /*tensor*/) {}
inline void died(std::uint64_t /*handle*/) {}
inline void moved(std::uint64_t /*handle*/, std::uint32_t /*owner*/) {}
inline void opened(std::uint32_t /*owner*/, std::uint32_t /*parent*/) {}
inline void closed(std::uint32_t /*owner*/) {}
#endif

}  // namespace tenure::ledger
