#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "core/tensor.h"
#include "wasm/scratch.h"

namespace tenure::wasm {

/// As JSON has it.
std::string quoted(std::string_view words);

template <class Items, class F>
std::string list_of(const Items& items, F describe) {
  std::string json = "[";
  for (const auto& item : items) {
    if (json.size() > 1) json += ',';
    json += describe(item);
  }
  return json += ']';
}

/// Known extents, and null for -1.
std::string shape_of(const Shape& shape);
std::string dtype_of(DType dtype);

using Member = std::pair<std::string_view, std::string>;
std::string object_of(std::initializer_list<Member> members);

/// Hands text out as last_error()'s message; gives 0, or -1 with an error there.
template <class F>
int told(F words) {
  return guarded([&] {
    last_error().message = words();
    return 0;
  });
}

}  // namespace tenure::wasm
