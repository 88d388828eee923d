#include "import/onnx/tensors.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/strings.h"
#include "model/files/weights.h"

namespace tenure::onnx {
namespace {

struct TypeInfo {
  std::string_view name;
  std::uint8_t bytes;  ///< of an element in raw data; of two elements of 4 bits
  std::optional<DType> dtype;
};

/// By the numbers of ElementType.
constexpr TypeInfo kTypes[] = {
    {"", 0, {}},
    {"float32", 4, DType::kFloat32},
    {"uint8", 1, DType::kInt32},
    {"int8", 1, DType::kInt32},
    {"uint16", 2, DType::kInt32},
    {"int16", 2, DType::kInt32},
    {"int32", 4, DType::kInt32},
    {"int64", 8, DType::kInt32},
    {"string", 0, DType::kString},
    {"bool", 1, DType::kBool},
    {"float16", 2, DType::kFloat32},
    {"float64", 8, DType::kFloat32},
    {"uint32", 4, DType::kInt32},
    {"uint64", 8, DType::kInt32},
    {"complex64", 8, {}},
    {"complex128", 16, {}},
    {"bfloat16", 2, DType::kFloat32},
    {"float8e4m3fn", 1, {}},
    {"float8e4m3fnuz", 1, {}},
    {"float8e5m2", 1, {}},
    {"float8e5m2fnuz", 1, {}},
    {"uint4", 1, DType::kInt32},
    {"int4", 1, DType::kInt32},
};

const TypeInfo& info_of(std::int32_t type) {
  return kTypes[type > 0 && type < static_cast<std::int32_t>(std::size(kTypes)) ? type : 0];
}

std::uint64_t parse_count(std::string_view text, std::string_view what) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  check(error == std::errc() && end == text.data() + text.size(), "its external data has the ", what, " \"",
        text, "\"");
  return count;
}

std::span<const std::byte> find_external(const TensorProto& proto, std::span<const ExternalFile> files) {
  std::string_view path;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
  for (const auto& [key, value] : proto.external) {
    if (key == "location") path = value;
    if (key == "offset") offset = parse_count(value, key);
    if (key == "length") length = parse_count(value, key);
  }
  const auto file =
      std::find_if(files.begin(), files.end(), [&](const ExternalFile& one) { return one.path == path; });
  check(file != files.end(), "its data is in the file \"", path, "\", which was not given as external data");
  const std::size_t size = file->bytes.size();
  check(offset <= size && length.value_or(0) <= size - offset, "its data is ", length.value_or(0),
        " bytes at ", offset, " of the file \"", path, "\", which has ", size);
  return file->bytes.subspan(static_cast<std::size_t>(offset),
                             static_cast<std::size_t>(length.value_or(size - offset)));
}

template <class From, class To, class Convert>
void convert(std::span<const std::byte> from, std::span<To> to, Convert convert_one) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    From value;
    std::memcpy(&value, from.data() + i * sizeof(From), sizeof(From));
    to[i] = convert_one(value);
  }
}

std::int32_t saturate_unsigned(std::uint64_t value) {
  return static_cast<std::int32_t>(std::min<std::uint64_t>(value, INT32_MAX));
}

float from_bfloat16(std::uint16_t bits) {
  const std::uint32_t word = std::uint32_t{bits} << 16;
  float value;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

Tensor decode_half(std::span<const std::byte> raw, const Shape& shape) {
  WeightSpec spec{.name = "float16", .spec = {shape, DType::kFloat32}, .encoding = Encoding::kFloat16};
  return decode_weights(std::span(&spec, 1), WeightData(raw)).at(0).tensor;
}

bool is_packed(ElementType type) { return type == ElementType::kUint4 || type == ElementType::kInt4; }

/// Unpacks elements of 4 bits, of which each byte has two, the low bits first.
void unpack(std::span<const std::byte> raw, std::span<std::int32_t> to, bool is_signed) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::int32_t value = std::to_integer<std::int32_t>(raw[i / 2]) >> (i % 2 * 4) & 15;
    to[i] = is_signed && value > 7 ? value - 16 : value;
  }
}

Tensor decode_raw(ElementType type, std::span<const std::byte> raw, const Shape& shape) {
  if (type == ElementType::kFloat16) return decode_half(raw, shape);
  Tensor tensor({shape, *info_of(static_cast<std::int32_t>(type)).dtype});
  if (tensor.elements() == 0) return tensor;
  const auto same = [](auto value) { return static_cast<std::int32_t>(value); };
  const auto as_float = [](auto value) { return static_cast<float>(value); };
  const std::span floats(tensor.mutable_data<float>(), tensor.elements());
  const std::span integers(tensor.mutable_data<std::int32_t>(), tensor.elements());
  switch (type) {
    case ElementType::kFloat:
    case ElementType::kInt32: std::memcpy(tensor.mutable_data<std::byte>(), raw.data(), raw.size()); break;
    case ElementType::kBool: {
      const std::span flags(tensor.mutable_data<std::uint8_t>(), tensor.elements());
      convert<std::uint8_t>(raw, flags, [](auto value) -> std::uint8_t { return value != 0; });
      break;
    }
    case ElementType::kUint8: convert<std::uint8_t>(raw, integers, same); break;
    case ElementType::kInt8: convert<std::int8_t>(raw, integers, same); break;
    case ElementType::kUint4: unpack(raw, integers, false); break;
    case ElementType::kInt4: unpack(raw, integers, true); break;
    case ElementType::kUint16: convert<std::uint16_t>(raw, integers, same); break;
    case ElementType::kInt16: convert<std::int16_t>(raw, integers, same); break;
    case ElementType::kInt64: convert<std::int64_t>(raw, integers, saturate); break;
    case ElementType::kUint32: convert<std::uint32_t>(raw, integers, saturate_unsigned); break;
    case ElementType::kUint64: convert<std::uint64_t>(raw, integers, saturate_unsigned); break;
    case ElementType::kDouble: convert<double>(raw, floats, as_float); break;
    case ElementType::kBfloat16: convert<std::uint16_t>(raw, floats, from_bfloat16); break;
    default: fail("its type has no raw data");
  }
  return tensor;
}

/// Returns the little-endian bytes of values in fields of their own type.
template <class T, class From>
std::vector<std::byte> to_bytes(const std::vector<From>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T value = static_cast<T>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
  return bytes;
}

std::vector<std::byte> typed_bytes(const TensorProto& proto, std::uint8_t size) {
  switch (static_cast<ElementType>(proto.type)) {
    case ElementType::kFloat: return to_bytes<float>(proto.floats);
    case ElementType::kDouble: return to_bytes<double>(proto.doubles);
    default: break;
  }
  switch (size) {
    case 1: return to_bytes<std::uint8_t>(proto.integers);
    case 2: return to_bytes<std::uint16_t>(proto.integers);
    case 4: return to_bytes<std::uint32_t>(proto.integers);
    default: return to_bytes<std::uint64_t>(proto.integers);
  }
}

}  // namespace

std::optional<DType> to_dtype(std::int32_t type) { return info_of(type).dtype; }
std::string_view name_of_type(std::int32_t type) { return info_of(type).name; }

std::int32_t saturate(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
}

Shape to_shape(const std::vector<std::int64_t>& dims) {
  check(dims.size() <= kMaxRank, "a shape of rank ", dims.size(), " is higher than the highest supported, ",
        kMaxRank);
  Shape shape;
  for (const std::int64_t dim : dims) {
    check(dim >= 0 && dim <= INT32_MAX, "a shape has the extent ", dim);
    shape.push_back(static_cast<std::int32_t>(dim));
  }
  shape.validate();
  return shape;
}

Tensor decode_tensor(const TensorProto& proto, std::span<const ExternalFile> files) {
  const Shape shape = to_shape(proto.dims);
  const TypeInfo& info = info_of(proto.type);
  check(info.dtype.has_value(), "its type is number ", proto.type, ", which tensors cannot have");
  if (*info.dtype == DType::kString) {
    check(proto.strings.size() == shape.elements(), "it has ", proto.strings.size(), " strings, its shape ",
          shape, " has ", shape.elements());
    return tensor_of(proto.strings, shape);
  }
  std::vector<std::byte> typed;
  if (!proto.is_external && !proto.raw) typed = typed_bytes(proto, info.bytes);
  const std::span<const std::byte> raw = proto.is_external ? find_external(proto, files)
                                         : proto.raw       ? *proto.raw
                                                           : std::span<const std::byte>(typed);
  const auto type = static_cast<ElementType>(proto.type);
  const std::size_t size = is_packed(type) ? (shape.elements() + 1) / 2 : shape.elements() * info.bytes;
  check(raw.size() == size, "it has ", raw.size(), " bytes of data, its shape ", shape, " of ", info.name,
        " takes ", size);
  return decode_raw(type, raw, shape);
}

}  // namespace tenure::onnx
