#include "model/keras/config.h"

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

}  // namespace

std::string snake_case(std::string_view name) {
  std::string snake;
  for (const char c : name) {
    if (is_upper(c) && !snake.empty() && snake.back() != '_') snake += '_';
    snake += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return snake;
}

Config::Config(const Json& json, std::string owner) : json_(&json), owner_(std::move(owner)) {
  if (!json.is_object()) fail("the config must be an object, got ", json);
}

const Json* Config::find(std::string_view key) const {
  const Json* value = json_->find(key);
  return value ? value : json_->find(camel_case(key));
}

const Json& Config::value(std::string_view key) const {
  const Json* value = find(key);
  if (!value) fail("field \"", key, "\" is missing");
  return *value;
}

std::int32_t Config::integer(std::string_view key) const {
  const Json& field = value(key);
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

float Config::number(std::string_view key, float fallback) const {
  const Json* value = find(key);
  if (!value) return fallback;
  if (!value->is_number()) fail("field \"", key, "\" must be a number, got ", *value);
  return static_cast<float>(value->number());
}

bool Config::flag(std::string_view key, bool fallback) const {
  const Json* value = find(key);
  if (!value) return fallback;
  if (value->kind() != Json::Kind::kBool) fail("field \"", key, "\" must be true or false, got ", *value);
  return value->boolean();
}

const std::string& Config::string(std::string_view key) const {
  const Json& field = value(key);
  if (!field.is_string()) fail("field \"", key, "\" must be a string, got ", field);
  return field.string();
}

std::string Config::string(std::string_view key, std::string_view fallback) const {
  return has(key) ? string(key) : std::string(fallback);
}

std::string Config::word(std::string_view key, std::string_view fallback) const {
  return has(key) ? snake_case(string(key)) : std::string(fallback);
}

Dims Config::dims(std::string_view key) const {
  const Json& field = value(key);
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

Dims Config::repeated(std::string_view key, int count, int fallback) const {
  Dims values = dims(key, {fallback});
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

const std::vector<Json>& Config::array(std::string_view key) const {
  const Json& field = value(key);
  if (!field.is_array()) fail("field \"", key, "\" must be an array, got ", field);
  return field.items();
}

void Config::fail_parts(const Part* parts, std::size_t count) const {
  tenure::fail(owner_, ": ", join(parts, count));
}

}  // namespace tenure::keras
