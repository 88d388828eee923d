#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tenure {

// Not streams, which would add 100 KB of locale code to the download, nor a function template per list of
// part types, which would add 80 KB: parts are type-erased at the call site and joined by one function.

inline void append(std::string& text, std::string_view part) { text += part; }
inline void append(std::string& text, const char* part) { text += part; }
inline void append(std::string& text, bool part) { text += part ? "true" : "false"; }
void append(std::string& text, std::int64_t part);
void append(std::string& text, double part);
template <std::integral T>
void append(std::string& text, T part) {
  append(text, static_cast<std::int64_t>(part));
}

/// One part of a message: a string, a number, or an object of a class with append(std::string&, const T&).
/// Holds numbers by value and everything else by address, so it must not outlive the full expression it is
/// made in.
class FormatArg {
 public:
  FormatArg(const char* part) : append_(append_literal) { value_.address = part; }
  FormatArg(bool part) : FormatArg(part ? "true" : "false") {}
  template <std::integral T>
  FormatArg(T part) : append_(append_integer) {
    value_.integer = static_cast<std::int64_t>(part);
  }
  FormatArg(double part) : append_(append_number) { value_.number = part; }
  template <class T>
    requires std::is_class_v<T>
  FormatArg(const T& part) : append_(append_object<T>) {
    value_.address = &part;
  }

  void append_to(std::string& text) const { append_(text, value_); }

 private:
  union Value {
    const void* address;
    std::int64_t integer;
    double number;
  };
  static void append_literal(std::string& text, Value value);
  static void append_integer(std::string& text, Value value);
  static void append_number(std::string& text, Value value);
  template <class T>
  static void append_object(std::string& text, Value value) {
    append(text, *static_cast<const T*>(value.address));
  }

  void (*append_)(std::string& text, Value value);
  Value value_;
};

/// Returns the parts joined.
std::string join(const FormatArg* parts, std::size_t count);

/// Returns the parts joined.
template <class... FormatArgs>
[[gnu::always_inline]] inline std::string text(const FormatArgs&... parts) {
  const FormatArg list[] = {FormatArg(parts)...};
  return join(list, sizeof...(parts));
}

}  // namespace tenure
