#include "import/graphdef/attributes.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "model/files/json.h"

namespace tenure::graphdef {
namespace {

/// The names of TensorFlow's DataType by number, without the prefix "DT_".
constexpr std::string_view kTypes[] = {"INVALID",    "FLOAT",  "DOUBLE",    "INT32",   "UINT8",   "INT16",
                                       "INT8",       "STRING", "COMPLEX64", "INT64",   "BOOL",    "QINT8",
                                       "QUINT8",     "QINT32", "BFLOAT16",  "QINT16",  "QUINT16", "UINT16",
                                       "COMPLEX128", "HALF",   "RESOURCE",  "VARIANT", "UINT32",  "UINT64"};

[[gnu::noinline]] double read_type(const Json& json) {
  if (json.is_number()) return json.number();
  check(json.is_string(), "a type is not a string");
  const std::string_view name = json.string();
  const auto* at = name.starts_with("DT_") ? std::find(std::begin(kTypes), std::end(kTypes), name.substr(3))
                                           : std::end(kTypes);
  check(at != std::end(kTypes), "the type ", name, " is not known");
  return static_cast<double>(at - kTypes);
}

[[gnu::noinline]] std::string decode_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+' || c == '-' ? 62
                      : c == '/' || c == '_' ? 63
                                             : -1;
    check(digit >= 0, "a string is not base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 255U);
  }
  return bytes;
}

/// Reads a string of bytes: base64, or a list of numbers.
[[gnu::noinline]] std::string read_bytes(const Json& json) {
  if (json.is_string()) return decode_base64(json.string());
  std::string bytes;
  check(json.is_array(), "a string is neither base64 nor a list of bytes");
  for (const Json& byte : json.items()) {
    check(byte.is_int() && byte.to_int() >= 0 && byte.to_int() < 256, "a string has the byte ", byte);
    bytes += static_cast<char>(byte.to_int());
  }
  return bytes;
}

/// Appends a scalar value, or an entry of a list, of the kind that its key names.
void read_into(Attributes::Value& value, std::string_view kind, const Json& json) {
  if (kind == "i" || kind == "f") {
    value.numbers.push_back(read_number(json));
  } else if (kind == "b") {
    value.numbers.push_back(json.boolean() ? 1 : 0);
  } else if (kind == "type") {
    value.numbers.push_back(read_type(json));
  } else if (kind == "s") {
    value.strings.push_back(read_bytes(json));
  } else if (kind == "func") {
    const Json* name = json.find("name");
    check(name && name->is_string(), "a function has no name");
    value.strings.push_back(name->string());
  }
}

void read_list(Attributes::Value& value, const Json& list) {
  check(list.is_object(), "a list is not an object");
  for (std::size_t k = 0; k < list.items().size(); ++k) {
    for (const Json& item : list.items()[k].items()) read_into(value, list.keys()[k], item);
  }
}

void read_shape_into(Attributes::Value& value, const Json& json) {
  value.is_shape = true;
  const std::optional<Shape> read = read_shape(json);
  value.has_rank = read.has_value();
  for (const std::int32_t extent : read.value_or(Shape())) value.numbers.push_back(extent);
}

// Out of line to keep the loop over all attributes small; see model/plan/plan.cpp.
[[gnu::noinline]] void read_value(Attributes::Value& value, const Json& entry) {
  try {
    if (const Json* shape = entry.find("shape")) {
      read_shape_into(value, *shape);
    } else if (const Json* list = entry.find("list")) {
      read_list(value, *list);
    } else {
      for (std::size_t k = 0; k < entry.items().size() && entry.is_object(); ++k)
        read_into(value, entry.keys()[k], entry.items()[k]);
    }
  } catch (const Error& error) {
    fail("attribute \"", value.name, "\": ", error.what());
  }
}

}  // namespace

std::optional<DType> to_dtype(double number) {
  const auto index =
      number >= 0 && number < static_cast<double>(std::size(kTypes)) ? static_cast<std::size_t>(number) : 0;
  switch (index) {
    case 1:
    case 2:
    case 14:
    case 19: return DType::kFloat32;
    case 3:
    case 4:
    case 5:
    case 6:
    case 9:
    case 11:
    case 12:
    case 13:
    case 15:
    case 16:
    case 17:
    case 22:
    case 23: return DType::kInt32;
    case 7: return DType::kString;
    case 8:
    case 18: return DType::kComplex64;
    case 10: return DType::kBool;
    default: return {};
  }
}

double read_number(const Json& json) {
  if (json.is_number()) return json.number();
  check(json.is_string() && !json.string().empty() && json.string().size() < 40, "expected a number, got ",
        json);
  // A JSON number, or one of the values that JSON cannot represent.
  const std::string& text = json.string();
  if (text == "NaN") return std::nan("");
  if (text == "Infinity") return HUGE_VAL;
  if (text == "-Infinity") return -HUGE_VAL;
  const Json number = Json::parse(text, "a number");
  check(number.is_number(), "expected a number, got ", json);
  return number.number();
}

std::optional<Shape> read_shape(const Json& json) {
  const Json* unknown = json.find("unknownRank");
  if (!unknown) unknown = json.find("unknown_rank");
  if (unknown && unknown->boolean()) return {};
  Shape shape;
  const Json* dims = json.find("dim");
  if (!dims) return shape;
  check(dims->items().size() <= kMaxRank, "a shape of rank ", dims->items().size(),
        " is higher than the highest supported, ", kMaxRank);
  for (const Json& dim : dims->items()) {
    const Json* size = dim.find("size");
    const double extent = size ? read_number(*size) : -1;
    check(extent >= -1 && extent <= INT32_MAX && extent == std::floor(extent), "a shape has the extent ",
          extent);
    shape.push_back(static_cast<std::int32_t>(extent));
  }
  return shape;
}

Attributes read_attributes(const Json& json) {
  check(json.is_object(), "its attributes are not an object");
  Attributes attributes;
  for (std::size_t i = 0; i < json.items().size(); ++i) {
    const Json& entry = json.items()[i];
    Attributes::Value value;
    value.name = json.keys()[i];
    // Inferred attributes and tensors are not used, and are most of the file.
    if (value.name.starts_with('_') || entry.find("tensor")) continue;
    read_value(value, entry);
    if (!value.numbers.empty() && !value.is_shape) value.dtype = to_dtype(value.numbers[0]);
    attributes.add(std::move(value));
  }
  return attributes;
}

}  // namespace tenure::graphdef
