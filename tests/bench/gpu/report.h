#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace tenure::bench {

/// A line of results, a JSON object: printed and flushed on destruction, so that a crash loses no other.
class Row {
 public:
  explicit Row(std::string_view kind) { set("kind", kind); }
  ~Row();
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  Row& set(std::string_view name, std::string_view value);
  Row& set(std::string_view name, const char* value) { return set(name, std::string_view(value)); }
  /// Writes values that are not finite as null.
  Row& set(std::string_view name, double value);
  Row& set(std::string_view name, std::integral auto value) { return set(name, static_cast<double>(value)); }
  Row& set(std::string_view name, bool value);

 private:
  void begin(std::string_view name);
  std::string line_;
};

}  // namespace tenure::bench
