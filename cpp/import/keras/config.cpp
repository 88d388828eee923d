#include "import/keras/config.h"

#include "core/error.h"

namespace tenure::keras {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

std::string camel_case(std::string_view name) {
  std::string camel;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool starts_word = name[i] == '_' && i + 1 < name.size();
    if (starts_word) ++i;
    camel +=
        starts_word && name[i] >= 'a' && name[i] <= 'z' ? static_cast<char>(name[i] - 'a' + 'A') : name[i];
  }
  return camel;
}

Json parse_initial(std::string_view initial) {
  const char first = initial.front();
  const bool is_plain = first == '-' || (first >= '0' && first <= '9') || initial == "true" ||
                        initial == "false" || initial == "null";
  return Json::parse(is_plain ? std::string(initial) : text("\"", initial, "\""), "a default");
}

}  // namespace

std::string snake_case(std::string_view name) {
  std::string snake;
  for (const char c : name) {
    if (is_upper(c) && !snake.empty() && snake.back() != '_') snake += '_';
    snake += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return snake;
}

Config::Config(const Json& json, std::string owner, std::string_view defaults)
    : json_(&json), owner_(std::move(owner)), defaults_(defaults) {
  if (!json.is_object()) fail("the config must be an object, got ", json);
}

const Json* Config::find(std::string_view key) const {
  const Json* value = json_->find(key);
  if (!value) value = json_->find(camel_case(key));
  // Keras writes a NumPy number as {"type": "ndarray", "value": 6}.
  const Json* type = value && value->is_object() ? value->find("type") : nullptr;
  return type && type->is_string() && type->string() == "ndarray" ? value->find("value") : value;
}

const Json& Config::value(std::string_view key) const {
  const Json* value = find(key);
  if (!value) fail("field \"", key, "\" is missing");
  return *value;
}

Json Config::value_or_default(std::string_view key) const {
  if (const Json* value = find(key)) return *value;
  const std::string_view initial = find_default(defaults_, key);
  if (!initial.empty()) return parse_initial(initial);
  fail("field \"", key, "\" is missing");
}

std::int32_t Config::integer(std::string_view key) const {
  const Json field = value_or_default(key);
  if (!field.is_int()) fail("field \"", key, "\" must be an integer, got ", field);
  return field.to_int();
}

std::int32_t Config::integer(std::string_view key, std::int32_t fallback) const {
  return has(key) ? integer(key) : fallback;
}

std::int32_t Config::positive(std::string_view key) const {
  const std::int32_t value = integer(key);
  if (value <= 0) fail("field \"", key, "\" must be a positive integer, got ", value);
  return value;
}

float Config::number(std::string_view key) const {
  const Json field = value_or_default(key);
  if (!field.is_number()) fail("field \"", key, "\" must be a number, got ", field);
  return static_cast<float>(field.number());
}

float Config::number(std::string_view key, float fallback) const { return has(key) ? number(key) : fallback; }

bool Config::flag(std::string_view key) const {
  const Json field = value_or_default(key);
  if (field.kind() != Json::Kind::kBool) fail("field \"", key, "\" must be true or false, got ", field);
  return field.boolean();
}

bool Config::flag(std::string_view key, bool fallback) const { return has(key) ? flag(key) : fallback; }

const std::string& Config::string(std::string_view key) const {
  const Json& field = value(key);
  if (!field.is_string()) fail("field \"", key, "\" must be a string, got ", field);
  return field.string();
}

std::string Config::string(std::string_view key, std::string_view fallback) const {
  return has(key) ? string(key) : std::string(fallback);
}

std::string Config::word(std::string_view key) const {
  const Json field = value_or_default(key);
  if (!field.is_string()) fail("field \"", key, "\" must be a string, got ", field);
  return snake_case(field.string());
}

std::string Config::word(std::string_view key, std::string_view fallback) const {
  return has(key) ? word(key) : std::string(fallback);
}

Dims Config::dims(std::string_view key) const {
  const Json field = value_or_default(key);
  if (field.is_int()) return {field.to_int()};
  if (!field.is_array()) fail("field \"", key, "\" must be a list of integers, got ", field);
  if (field.items().size() > kMaxRank) fail("field \"", key, "\" has more than ", kMaxRank, " elements");
  Dims dims;
  for (const Json& item : field.items()) {
    if (!item.is_null() && !item.is_int())
      fail("field \"", key, "\" must be a list of integers, but holds ", item);
    dims.push_back(item.is_null() ? -1 : item.to_int());
  }
  return dims;
}

Dims Config::dims(std::string_view key, const Dims& fallback) const {
  return has(key) ? dims(key) : fallback;
}

Dims Config::repeated(std::string_view key, int count) const {
  Dims values = dims(key);
  if (values.rank == 1) {
    while (values.rank < count) values.push_back(values[0]);
  }
  bool all_positive = values.rank == count;
  for (const std::int32_t value : values) all_positive &= value > 0;
  if (!all_positive) fail("field \"", key, "\" must hold ", count, " positive integers, got ", values);
  return values;
}

Config Config::object(std::string_view key) const {
  const Json& field = value(key);
  if (!field.is_object()) fail("field \"", key, "\" must be an object, got ", field);
  return Config(field, owner_);
}

Config Config::with_class_defaults(std::string_view class_name) const {
  return Config(*json_, owner_, get_defaults(class_name));
}

const std::vector<Json>& Config::array(std::string_view key) const {
  const Json& field = value(key);
  if (!field.is_array()) fail("field \"", key, "\" must be an array, got ", field);
  return field.items();
}

void Config::fail_parts(const FormatArg* parts, std::size_t count) const {
  tenure::fail(owner_, ": ", join(parts, count));
}

}  // namespace tenure::keras
