// The attributes of nodes, inputs and outputs.

#include <algorithm>

#include "core/error.h"
#include "import/tflite/reader.h"

namespace tenure::tflite {
namespace {

double read_number(const Table& options, const Option& option) {
  switch (option.type) {
    case Option::kByte: return options.number(option.field, static_cast<std::int8_t>(option.otherwise));
    case Option::kInt: return options.number(option.field, static_cast<std::int32_t>(option.otherwise));
    default: return options.number(option.field, static_cast<float>(option.otherwise));
  }
}

template <class T>
void append_numbers(std::vector<double>& to, const std::vector<T>& numbers) {
  for (const T number : numbers) to.push_back(number);
}

/// Reads an option that is a vector.
void read_numbers(const Table& options, const Option& option, std::vector<double>& to) {
  if (option.type == Option::kFloats) return append_numbers(to, options.numbers<float>(option.field));
  append_numbers(to, option.type == Option::kLongs ? options.longs(option.field)
                                                   : options.numbers<std::int32_t>(option.field));
}

}  // namespace

void add_number(Attributes& attrs, std::string_view name, double number) {
  Attributes::Value value;
  value.name = name;
  value.numbers.push_back(number);
  attrs.add(std::move(value));
}

void add_string(Attributes& attrs, std::string_view name, std::string_view words) {
  Attributes::Value value;
  value.name = name;
  value.strings.emplace_back(words);
  attrs.add(std::move(value));
}

void add_type(Attributes& attrs, std::string_view name, ElementType type, std::optional<DType> dtype) {
  Attributes::Value value;
  value.name = name;
  value.numbers.push_back(static_cast<double>(type));
  value.dtype = dtype;
  attrs.add(std::move(value));
}

Attributes describe_port(const TensorDef& tensor, bool is_real) {
  Attributes attrs;
  add_string(attrs, "type", get_type_name(tensor.type));
  std::optional<DType> dtype = to_dtype(tensor.type);
  check(dtype.has_value(), "its type is number ", static_cast<int>(tensor.type),
        ", which tensors cannot have");
  if (is_real) dtype = DType::kFloat32;
  add_type(attrs, "dtype", tensor.type, dtype);
  const bool has_signature = tensor.signature.size() == tensor.shape.size() && !tensor.shape.empty();
  Attributes::Value shape{.name = "shape", .is_shape = true};
  for (const std::int32_t extent : has_signature ? tensor.signature : tensor.shape)
    shape.numbers.push_back(std::max(extent, -1));
  check(shape.numbers.size() <= kMaxRank, "its rank is ", shape.numbers.size(),
        ", higher than the highest supported, ", kMaxRank);
  attrs.add(std::move(shape));
  return attrs;
}

std::int32_t GraphReader::read_activation(const OperatorDef& op, const OpRow& row) {
  if (!op.options) return 0;
  for (const Option& option : row.options) {
    if (option.name == kActivationOption[0].name)
      return static_cast<std::int32_t>(read_number(*op.options, option));
  }
  return 0;
}

void GraphReader::read_options(const OperatorDef& op, const OpRow& row, Attributes& attrs) {
  for (const Option& option : row.options) {
    if (option.type < Option::kInts) {
      add_number(attrs, option.name, op.options ? read_number(*op.options, option) : option.otherwise);
      continue;
    }
    Attributes::Value value;
    value.name = option.name;
    if (op.options) read_numbers(*op.options, option, value.numbers);
    attrs.add(std::move(value));
  }
}

}  // namespace tenure::tflite
