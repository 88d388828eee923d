#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenure {

/// A parsed JSON document, or a part of one. Nested at most kMaxDepth deep, so that it may be walked by
/// recursion.
class Json {
 public:
  enum class Kind : std::uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };
  static constexpr int kMaxDepth = 100;

  /// Throws Error("[what] is not valid JSON ...") with the byte where it went wrong.
  static Json parse(std::string_view text, std::string_view what);

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_string() const { return kind_ == Kind::kString; }
  bool is_number() const { return kind_ == Kind::kNumber; }
  bool is_array() const { return kind_ == Kind::kArray; }
  bool is_object() const { return kind_ == Kind::kObject; }
  bool boolean() const { return number_ != 0; }
  double number() const { return number_; }
  const std::string& string() const { return string_; }

  /// Elements of an array, or the values of an object in the order of keys(); empty for anything else.
  const std::vector<Json>& items() const { return items_; }
  const std::vector<std::string>& keys() const { return keys_; }
  /// The value of a key; null where this is no object, the key is missing or its value is JSON's null.
  const Json* find(std::string_view key) const;

  /// True for a number without a fraction in [-2^31, 2^31).
  bool is_int() const;
  std::int32_t to_int() const { return static_cast<std::int32_t>(number_); }

 private:
  friend class JsonReader;
  Kind kind_ = Kind::kNull;
  double number_ = 0;
  std::string string_;
  std::vector<Json> items_;
  std::vector<std::string> keys_;
};

/// Appends the value in short, for an error message: numbers and strings as they are, "an object", "an
/// array".
void append(std::string& text, const Json& json);

}  // namespace tenure
