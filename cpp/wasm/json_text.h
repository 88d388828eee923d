#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "core/tensor.h"
#include "wasm/scratch.h"

namespace tenure::wasm {

/// Returns a JSON string.
std::string json_string(std::string_view words);

/// Returns a JSON array of describe(item) for each item.
template <class Items, class F>
std::string json_list(const Items& items, F describe) {
  std::string json = "[";
  for (const auto& item : items) {
    if (json.size() > 1) json += ',';
    json += describe(item);
  }
  return json += ']';
}

/// Returns a JSON array of extents, null for -1.
std::string json_shape(const Shape& shape);
/// Returns the dtype's number as JSON.
std::string json_dtype(DType dtype);

using Member = std::pair<std::string_view, std::string>;
/// Returns a JSON object; the members' values are JSON already.
std::string json_object(std::initializer_list<Member> members);

/// Returns text to JavaScript as the message of last_error(). Returns 0, or -1 if that is an error.
template <class F>
int return_json(F words) {
  return guarded([&] {
    last_error().message = words();
    return 0;
  });
}

}  // namespace tenure::wasm
