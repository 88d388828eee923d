#pragma once

#include <cstdint>
#include <string_view>

namespace tenure {

/// FarmHash's Fingerprint64 of bytes: the same on every machine and in every version, as TensorFlow's hashed
/// buckets need it (github.com/google/farmhash).
std::uint64_t fingerprint64(std::string_view bytes);

}  // namespace tenure
