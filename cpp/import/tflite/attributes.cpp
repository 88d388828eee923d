// The attributes of nodes, inputs and outputs.

#include <algorithm>

#include "core/error.h"
#include "import/tflite/reader.h"

namespace tenure::tflite {
namespace {

Attributes::Value string_value(std::string_view name, std::string_view value) {
  Attributes::Value made;
  made.name = name;
  made.strings.emplace_back(value);
  return made;
}

Attributes::Value read_option(const Table& options, const Option& option) {
  Attributes::Value value;
  value.name = option.name;
  switch (option.type) {
    case Option::kByte:
      value.numbers.push_back(options.number(option.field, static_cast<std::int8_t>(option.otherwise)));
      break;
    case Option::kInt:
      value.numbers.push_back(options.number(option.field, static_cast<std::int32_t>(option.otherwise)));
      break;
    case Option::kFloat:
      value.numbers.push_back(options.number(option.field, static_cast<float>(option.otherwise)));
      break;
    case Option::kInts:
      for (const std::int32_t number : options.numbers<std::int32_t>(option.field))
        value.numbers.push_back(number);
      break;
    case Option::kFloats:
      for (const float number : options.numbers<float>(option.field)) value.numbers.push_back(number);
      break;
  }
  return value;
}

}  // namespace

Attributes describe_port(const TensorDef& tensor, bool is_real) {
  Attributes attrs;
  attrs.add(string_value("type", name_of_type(tensor.type)));
  std::optional<DType> dtype = to_dtype(tensor.type);
  check(dtype.has_value(), "its type is number ", static_cast<int>(tensor.type),
        ", which tensors cannot have");
  if (is_real) dtype = DType::kFloat32;
  Attributes::Value number{.name = "dtype", .numbers = {static_cast<double>(tensor.type)}};
  number.dtype = dtype;
  attrs.add(std::move(number));
  const bool has_signature = tensor.signature.size() == tensor.shape.size() && !tensor.shape.empty();
  Attributes::Value shape{.name = "shape", .is_shape = true};
  for (const std::int32_t extent : has_signature ? tensor.signature : tensor.shape)
    shape.numbers.push_back(std::max(extent, -1));
  check(shape.numbers.size() <= kMaxRank, "its rank is ", shape.numbers.size(),
        ", higher than the highest supported, ", kMaxRank);
  attrs.add(std::move(shape));
  return attrs;
}

Attributes GraphReader::read_options(const OperatorDef& op, const OpRow& row) const {
  Attributes attrs;
  if (op.options) {
    for (const Option& option : row.options) attrs.add(read_option(*op.options, option));
  } else {
    for (const Option& option : row.options) {
      Attributes::Value value;
      value.name = option.name;
      if (option.type != Option::kInts && option.type != Option::kFloats)
        value.numbers.push_back(option.otherwise);
      attrs.add(std::move(value));
    }
  }
  return attrs;
}

}  // namespace tenure::tflite
