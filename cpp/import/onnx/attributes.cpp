#include "import/onnx/attributes.h"

#include <algorithm>

#include "core/checked_integers.h"
#include "core/error.h"
#include "model/files/raw_elements.h"

namespace tenure::onnx {

using executor::Attributes;

namespace {

/// Attributes whose integers are elements of results. Others, such as the ends of slices, are clamped.
constexpr std::string_view kElementAttributes[] = {"classlabels_int64s", "classlabels_ints", "default_int64",
                                                   "imputed_value_int64s", "values_int64s"};

}  // namespace

Attributes::Value to_attribute(const AttributeProto& proto, std::span<const ExternalFile> files) {
  Attributes::Value value;
  value.name = proto.name;
  value.numbers.assign(proto.floats.begin(), proto.floats.end());
  const bool are_values = std::find(std::begin(kElementAttributes), std::end(kElementAttributes),
                                    proto.name) != std::end(kElementAttributes);
  for (const std::int64_t integer : proto.integers) {
    value.numbers.push_back(saturate(integer));
    check(!are_values || saturate(integer) == integer, kCannotHold, integer);
  }
  value.strings.assign(proto.strings.begin(), proto.strings.end());
  if (proto.integers.size() == 1 && proto.integers[0] >= 0 && proto.integers[0] <= INT32_MAX)
    value.dtype = to_dtype(static_cast<std::int32_t>(proto.integers[0]));
  // proto3 does not store zeros: an attribute of one number that has none is 0.
  constexpr std::int32_t kFloat = 1;
  constexpr std::int32_t kInt = 2;
  constexpr std::int32_t kString = 3;
  if (value.numbers.empty() && (proto.type == kFloat || proto.type == kInt)) value.numbers.push_back(0);
  if (value.strings.empty() && proto.type == kString) value.strings.emplace_back();
  if (proto.tensors.size() == 1) value.tensor = decode_tensor(proto.tensors[0], files);
  return value;
}

Attributes::Value string_attribute(std::string name, std::string value) {
  Attributes::Value attribute;
  attribute.name = std::move(name);
  attribute.strings.push_back(std::move(value));
  return attribute;
}

Attributes to_attributes(const ValueInfoProto& info,
                         std::span<const std::pair<std::string, std::int32_t>> free_dimensions) {
  check(info.is_supported,
        "it is a map, a sparse tensor or a sequence of other than tensors, which are not supported");
  Attributes attributes;
  const std::optional<DType> dtype = to_dtype(info.type);
  check(dtype.has_value() || info.type == 0, "its type is number ", info.type, ", which tensors cannot have");
  Attributes::Value type{.name = "type"};
  type.strings.emplace_back(get_type_name(info.type));
  attributes.add(std::move(type));
  Attributes::Value number{.name = "dtype", .numbers = {static_cast<double>(info.type)}};
  number.dtype = dtype;
  if (dtype) attributes.add(std::move(number));
  if (!info.container.empty()) attributes.add(string_attribute("container", std::string(info.container)));
  if (!info.shape) return attributes;
  check(info.shape->size() <= kMaxRank, "its rank is ", info.shape->size(),
        ", higher than the highest supported, ", kMaxRank);
  Attributes::Value shape{.name = "shape", .is_shape = true};
  Attributes::Value symbols{.name = "symbols"};
  bool has_symbol = false;
  for (const DimensionProto& dimension : *info.shape) {
    const auto fixed = std::find_if(free_dimensions.begin(), free_dimensions.end(),
                                    [&](const auto& one) { return one.first == dimension.symbol; });
    // Some exporters write an unknown extent as -1 or 0.
    std::int32_t extent = dimension.extent && *dimension.extent > 0 ? saturate(*dimension.extent) : -1;
    if (!dimension.symbol.empty()) {
      has_symbol = true;
      if (fixed != free_dimensions.end()) extent = fixed->second;
    }
    shape.numbers.push_back(extent);
    symbols.strings.emplace_back(dimension.symbol);
  }
  attributes.add(std::move(shape));
  if (has_symbol) attributes.add(std::move(symbols));
  return attributes;
}

}  // namespace tenure::onnx
