#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "model/files/weights.h"

/// Helpers of the fuzz targets: splitting an input into parts, and checking that an invalid file causes only
/// an Error and leaks nothing.
namespace tenure::fuzz {

/// Returns the parts of an input, a line each; the last is the rest.
template <std::size_t count>
std::array<std::string_view, count> parts_of(std::span<const std::uint8_t> input) {
  std::string_view rest(reinterpret_cast<const char*>(input.data()), input.size());
  std::array<std::string_view, count> parts;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const std::size_t end = rest.find('\n');
    parts[i] = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  parts[count - 1] = rest;
  return parts;
}

/// Returns bytes as a page passes them: in a block that weights may share.
inline WeightData weights_of(std::span<const std::byte> bytes) {
  const StoragePtr block = Storage::allocate(bytes.size());
  if (!bytes.empty()) std::memcpy(block->mutable_data(), bytes.data(), bytes.size());
  return WeightData(block);
}
inline WeightData weights_of(std::string_view text) { return weights_of(std::as_bytes(std::span(text))); }

/// Runs `body` with a small memory budget; aborts if it throws anything but an Error, or leaks memory.
template <class F>
int run(F body) {
  constexpr std::size_t kBudget = std::size_t{64} << 20;
  set_memory_budget(kBudget);
  trim_memory();
  const std::size_t live = allocator_stats().live;
  try {
    body();
  } catch (const Error&) {  // A valid outcome.
  }
  trim_memory();
  if (allocator_stats().live != live) std::abort();
  return 0;
}

}  // namespace tenure::fuzz
