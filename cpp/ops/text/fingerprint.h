#pragma once

#include <cstdint>
#include <string_view>

namespace tenure {

/// Returns FarmHash's Fingerprint64 of bytes (github.com/google/farmhash). It is the same on every machine
/// and in every version, as TensorFlow's hash buckets require.
std::uint64_t fingerprint64(std::string_view bytes);

}  // namespace tenure
