#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenure {

/// A parsed JSON document, or a part of one. The nesting depth is at most kMaxDepth, so that recursive walks
/// are safe.
class Json {
 public:
  enum class Kind : std::uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };
  static constexpr int kMaxDepth = 100;

  /// Parses a document. Throws Error("[what] is not valid JSON ...") with the position of the first invalid
  /// byte, and throws if the document is nested too deep.
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

  /// Returns the elements of an array, or the values of an object in the order of keys(). Empty for other
  /// kinds.
  const std::vector<Json>& items() const { return items_; }
  const std::vector<std::string>& keys() const { return keys_; }
  /// Returns the value of a key, or null if this is no object, the key is missing or its value is JSON's
  /// null.
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

/// Appends a short form for error messages: "null", booleans, numbers, the first 100 bytes of strings, "an
/// object", "an array".
void append(std::string& text, const Json& json);

}  // namespace tenure
