// The raw calls for profiles.

#include <optional>

#include "owner/profile.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

std::optional<Profile> profile;

}  // namespace

/// Starts to record kernels, or stops it.
TENURE_CALL void tn_profile(int on) {
  profile.reset();
  if (on) profile.emplace();
}

/// Returns the address of the kernels recorded since the last call (owner/profile.h), valid until the next
/// call. Their number of words is in the scratch.
TENURE_CALL int tn_profile_take() {
  scratch[0] = 0;
  if (!profile) return 0;
  const std::vector<std::int32_t>& entries = profile->take();
  scratch[0] = static_cast<std::int32_t>(entries.size());
  return static_cast<int>(reinterpret_cast<std::intptr_t>(entries.data()));
}

}  // namespace tenure::wasm
