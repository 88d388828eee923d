#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/shape.h"
#include "core/text.h"
#include "import/keras/layer_fields.h"
#include "model/files/json.h"

namespace tenure::keras {

/// The JSON object that configures a layer. Keys are written in snake_case and found in camelCase too; errors
/// name the layer and the field. A field whose value is null counts as missing, and has the default that the
/// class's row of layers.def says.
class Config {
 public:
  /// `owner` begins every message: `layer "conv1"`.
  Config(const Json& json, std::string owner, std::string_view defaults = {});

  const std::string& owner() const { return owner_; }
  const Json& json() const { return *json_; }
  bool has(std::string_view key) const { return find(key) != nullptr; }
  const Json* find(std::string_view key) const;

  // Each throws when the field has another type; those without a fallback also when it is missing and has no
  // default.
  const Json& value(std::string_view key) const;
  std::int32_t integer(std::string_view key) const;
  std::int32_t integer(std::string_view key, std::int32_t fallback) const;
  /// An integer above 0.
  std::int32_t positive(std::string_view key) const;
  float number(std::string_view key) const;
  float number(std::string_view key, float fallback) const;
  bool flag(std::string_view key) const;
  bool flag(std::string_view key, bool fallback) const;
  const std::string& string(std::string_view key) const;
  std::string string(std::string_view key, std::string_view fallback) const;
  /// A name out of a list, in snake_case whatever the file's case: "hardSigmoid" is hard_sigmoid.
  std::string word(std::string_view key) const;
  std::string word(std::string_view key, std::string_view fallback) const;
  /// A list of integers, or a single one; null elements are -1.
  Dims dims(std::string_view key) const;
  Dims dims(std::string_view key, const Dims& fallback) const;
  /// `count` positive integers, given as a list or as one integer that stands for all of them.
  Dims repeated(std::string_view key, int count) const;
  /// The object {class_name, config} under a key.
  Config object(std::string_view key) const;
  /// The same as that of a layer of this class.
  Config of_class(std::string_view class_name) const;
  const std::vector<Json>& array(std::string_view key) const;

  /// Throws with the owner in front.
  template <class... Parts>
  [[noreturn, gnu::always_inline]] void fail(const Parts&... parts) const {
    const Part list[] = {Part(parts)...};
    fail_parts(list, sizeof...(parts));
  }

 private:
  [[noreturn]] void fail_parts(const Part* parts, std::size_t count) const;

  /// The value, or the default.
  Json given(std::string_view key) const;

  const Json* json_;
  std::string owner_;
  std::string_view defaults_;
};

/// "dataFormat" becomes "data_format"; what is in snake_case already stays as it is.
std::string snake_case(std::string_view name);

}  // namespace tenure::keras
