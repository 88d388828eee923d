#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/shape.h"
#include "core/text.h"
#include "import/keras/layer_fields.h"
#include "model/files/json.h"

namespace tenure::keras {

/// JSON object that configures a layer. Keys are passed in snake_case and also match camelCase keys of the
/// JSON. Error messages name the layer and the field. A field whose value is null counts as missing and has
/// the default of the class's row in lists/layers.def.
class Config {
 public:
  /// `owner` begins every error message, as in `layer "conv1"`; `defaults` is a result of get_defaults().
  Config(const Json& json, std::string owner, std::string_view defaults = {});

  const std::string& owner() const { return owner_; }
  const Json& json() const { return *json_; }
  bool has(std::string_view key) const { return find(key) != nullptr; }
  const Json* find(std::string_view key) const;

  // Each getter throws if the field has another type. Getters without a fallback also throw if it is missing
  // and has no default.
  const Json& value(std::string_view key) const;
  std::int32_t integer(std::string_view key) const;
  std::int32_t integer(std::string_view key, std::int32_t fallback) const;
  /// Returns an integer above 0; throws for any other.
  std::int32_t positive(std::string_view key) const;
  float number(std::string_view key) const;
  float number(std::string_view key, float fallback) const;
  bool flag(std::string_view key) const;
  bool flag(std::string_view key, bool fallback) const;
  const std::string& string(std::string_view key) const;
  std::string string(std::string_view key, std::string_view fallback) const;
  /// Returns an enumerated name in snake_case, whatever the case in the file: "hard_sigmoid" for
  /// "hardSigmoid".
  std::string word(std::string_view key) const;
  std::string word(std::string_view key, std::string_view fallback) const;
  /// Returns a list of integers. A single integer is a list of one; null elements are -1.
  Dims dims(std::string_view key) const;
  Dims dims(std::string_view key, const Dims& fallback) const;
  /// Returns `count` positive integers. A single integer stands for all of them.
  Dims repeated(std::string_view key, int count) const;
  /// Returns the object under a key, such as {class_name, config}, as a config without defaults.
  Config object(std::string_view key) const;
  /// Returns the same JSON with the defaults of another class.
  Config with_class_defaults(std::string_view class_name) const;
  const std::vector<Json>& array(std::string_view key) const;

  /// Throws an Error whose message begins with the owner.
  template <class... FormatArgs>
  [[noreturn, gnu::always_inline]] void fail(const FormatArgs&... parts) const {
    const FormatArg list[] = {FormatArg(parts)...};
    fail_parts(list, sizeof...(parts));
  }

 private:
  [[noreturn]] void fail_parts(const FormatArg* parts, std::size_t count) const;

  /// Returns the value of a field, or its default. Throws if it has neither.
  Json value_or_default(std::string_view key) const;

  const Json* json_;
  std::string owner_;
  std::string_view defaults_;
};

/// Returns a camelCase name in snake_case: "data_format" for "dataFormat". A name in snake_case is unchanged.
std::string snake_case(std::string_view name);

}  // namespace tenure::keras
