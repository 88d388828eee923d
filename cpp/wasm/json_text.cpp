#include "wasm/json_text.h"

namespace tenure::wasm {

std::string quoted(std::string_view words) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : words) {
    if (c == '"' || c == '\\') json += '\\';
    if (static_cast<unsigned char>(c) >= ' ') {
      json += c;
    } else {
      json += "\\u00";
      json += kHex[static_cast<unsigned char>(c) / 16];
      json += kHex[static_cast<unsigned char>(c) % 16];
    }
  }
  return json += '"';
}

std::string shape_of(const Shape& shape) {
  return list_of(
      shape, [](std::int32_t extent) { return extent < 0 ? std::string("null") : std::to_string(extent); });
}

std::string object_of(std::initializer_list<Member> members) {
  std::string json = "{";
  for (const auto& [name, value] : members) {
    if (json.size() > 1) json += ',';
    json += quoted(name) += ':';
    json += value;
  }
  return json += '}';
}

std::string dtype_of(DType dtype) { return std::to_string(static_cast<int>(dtype)); }

}  // namespace tenure::wasm
