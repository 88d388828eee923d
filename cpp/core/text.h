#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace tenure {

// Streams would add a hundred kilobytes of locale code to the download.

inline void append(std::string& text, std::string_view part) { text += part; }
inline void append(std::string& text, const char* part) { text += part; }
inline void append(std::string& text, bool part) { text += part ? "true" : "false"; }
template <std::integral T>
void append(std::string& text, T part) {
  text += std::to_string(part);
}
void append(std::string& text, double part);

/// The parts joined: strings, numbers, and whatever has an append(std::string&, const T&) of its own.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::string joined;
  (append(joined, parts), ...);
  return joined;
}

}  // namespace tenure
