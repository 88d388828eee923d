#include "wasm/json_text.h"

namespace tenure::wasm {

std::string json_string(std::string_view words) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string json = "\"";
  std::size_t start = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto c = static_cast<unsigned char>(words[i]);
    if (c >= ' ' && c != '"' && c != '\\') continue;
    json.append(words.data() + start, i - start);
    start = i + 1;
    if (c >= ' ') {
      json += '\\';
      json += words[i];
    } else {
      json += "\\u00";
      json += kHex[c / 16];
      json += kHex[c % 16];
    }
  }
  json.append(words.data() + start, words.size() - start);
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
