#include "wasm/json_text.h"

namespace tenure::wasm {

std::string json_string(std::string_view words) {
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

std::string json_shape(const Shape& shape) {
  return json_list(
      shape, [](std::int32_t extent) { return extent < 0 ? std::string("null") : std::to_string(extent); });
}

std::string json_object(std::initializer_list<Member> members) {
  std::string json = "{";
  for (const auto& [name, value] : members) {
    if (json.size() > 1) json += ',';
    json += json_string(name) += ':';
    json += value;
  }
  return json += '}';
}

std::string json_dtype(DType dtype) { return std::to_string(static_cast<int>(dtype)); }

}  // namespace tenure::wasm
