// The raw calls for profiles.

#include <optional>

#include "owner/profile.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

std::optional<Profile> profile;

}  // namespace

/// Begins to write down kernels, or ends it.
TENURE_CALL void tn_profile(int on) {
  profile.reset();
  if (on) profile.emplace();
}

/// Address of the kernels since the last call (owner/profile.h), valid until the next; their number of words
/// stands in the scratch.
TENURE_CALL int tn_profile_take() {
  scratch[0] = 0;
  if (!profile) return 0;
  const std::vector<std::int32_t>& entries = profile->take();
  scratch[0] = static_cast<std::int32_t>(entries.size());
  return static_cast<int>(reinterpret_cast<std::intptr_t>(entries.data()));
}

}  // namespace tenure::wasm
