#include "model/executor/attributes.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace tenure::executor {
namespace {

std::int32_t to_integer(std::string_view name, double value) {
  check(value == std::floor(value) && value >= INT32_MIN && value <= INT32_MAX, "attribute \"", name,
        "\" is ", value, ", which is not a 32-bit integer");
  return static_cast<std::int32_t>(value);
}

}  // namespace

const Attributes::Value* Attributes::find(std::string_view name) const {
  const auto at =
      std::find_if(values_.begin(), values_.end(), [&](const Value& value) { return value.name == name; });
  return at == values_.end() ? nullptr : &*at;
}

double Attributes::number(std::string_view name, double otherwise) const {
  const Value* value = find(name);
  return value && !value->numbers.empty() ? value->numbers[0] : otherwise;
}

std::int32_t Attributes::integer(std::string_view name, std::int32_t otherwise) const {
  return to_integer(name, number(name, otherwise));
}

std::vector<std::int32_t> Attributes::integers(std::string_view name) const {
  std::vector<std::int32_t> integers;
  for (const double value : numbers(name)) integers.push_back(to_integer(name, value));
  return integers;
}

std::string_view Attributes::string(std::string_view name, std::string_view otherwise) const {
  const Value* value = find(name);
  return value && !value->strings.empty() ? value->strings[0] : otherwise;
}

std::span<const std::string> Attributes::strings(std::string_view name) const {
  const Value* value = find(name);
  return value ? std::span<const std::string>(value->strings) : std::span<const std::string>();
}

std::span<const double> Attributes::numbers(std::string_view name) const {
  const Value* value = find(name);
  return value ? std::span<const double>(value->numbers) : std::span<const double>();
}

Tensor Attributes::tensor(std::string_view name) const {
  const Value* value = find(name);
  return value ? value->tensor : Tensor();
}

DType Attributes::dtype(std::string_view name, DType otherwise) const {
  const Value* value = find(name);
  if (!value || value->numbers.empty()) return otherwise;
  check(value->dtype.has_value(), "attribute \"", name, "\" is a type that tensors cannot have, number ",
        value->numbers[0]);
  return *value->dtype;
}

std::optional<DType> Attributes::find_dtype(std::string_view name) const {
  const Value* value = find(name);
  return value ? value->dtype : std::nullopt;
}

std::optional<Shape> Attributes::shape(std::string_view name) const {
  const Value* value = find(name);
  if (!value || !value->is_shape || !value->has_rank) return {};
  Shape shape;
  for (const double extent : value->numbers) shape.push_back(static_cast<std::int32_t>(extent));
  return shape;
}

}  // namespace tenure::executor
