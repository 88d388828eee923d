#include "import/onnx/tensors.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/strings.h"
#include "import/onnx/rare_rows/small_types.h"
#include "model/files/raw_elements.h"

namespace tenure::onnx {
namespace {

struct TypeInfo {
  std::string_view name;
  std::optional<RawType> raw = {};
};

/// By the numbers of ElementType. Those of uint32 beyond int32 keep their bits.
constexpr TypeInfo kTypes[] = {
    {""},
    {"float32", RawType::kFloat32},
    {"uint8", RawType::kUint8},
    {"int8", RawType::kInt8},
    {"uint16", RawType::kUint16},
    {"int16", RawType::kInt16},
    {"int32", RawType::kInt32},
    {"int64", RawType::kInt64},
    {"string"},
    {"bool", RawType::kBool},
    {"float16", RawType::kFloat16},
    {"float64", RawType::kFloat64},
    {"uint32", RawType::kInt32},
    {"uint64", RawType::kUint64},
    {"complex64"},
    {"complex128"},
    {"bfloat16", RawType::kBfloat16},
    {"float8e4m3fn"},
    {"float8e4m3fnuz"},
    {"float8e5m2"},
    {"float8e5m2fnuz"},
    {"uint4", RawType::kUint4},
    {"int4", RawType::kInt4},
    {"float4e2m1"},
    {"float8e8m0"},
    {"uint2"},
    {"int2"},
};

const TypeInfo& get_info(std::int32_t type) {
  return kTypes[type > 0 && type < static_cast<std::int32_t>(std::size(kTypes)) ? type : 0];
}

std::uint64_t parse_count(std::string_view text, std::string_view what) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  check(error == std::errc() && end == text.data() + text.size() && count <= INT64_MAX,
        "its external data has the ", what, " \"", text, "\"");
  return count;
}

/// Returns a path without "./" at its beginning.
std::string_view normalize(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  return path;
}

/// Returns the data of a tensor of `size` bytes, or of the length that the file states. Throws if no file has
/// it.
WeightData find_external(const TensorProto& proto, std::span<const ExternalFile> files, std::uint64_t size) {
  const auto [path, offset, length] = read_external_range(proto);
  const std::uint64_t bytes = length.value_or(size);
  const auto has_path = [path = path](const ExternalFile& one) { return normalize(one.path) == path; };
  const auto has_data = [&, offset = offset](const ExternalFile& one) {
    return has_path(one) && offset >= one.offset && offset - one.offset <= one.bytes.size() &&
           bytes <= one.bytes.size() - (offset - one.offset);
  };
  const auto file = std::find_if(files.begin(), files.end(), has_data);
  if (file == files.end()) {
    const auto other = std::find_if(files.begin(), files.end(), has_path);
    check(other != files.end(), "its data is in the file \"", path,
          "\", which was not given as external data");
    fail("its data is ", bytes, " bytes at ", offset, " of the file \"", path, "\", which has ",
         other->offset + other->bytes.size());
  }
  const auto begin = static_cast<std::size_t>(offset - file->offset);
  const auto count = static_cast<std::size_t>(bytes);
  WeightData data(file->bytes.subspan(begin, count));
  if (count == file->bytes.size()) data.owner = file->owner;
  return data;
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

std::vector<std::byte> typed_bytes(const TensorProto& proto, std::uint64_t size) {
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

ExternalRange read_external_range(const TensorProto& proto) {
  ExternalRange range;
  for (const auto& [key, value] : proto.external) {
    if (key == "location") range.path = normalize(value);
    if (key == "offset") range.offset = parse_count(value, key);
    if (key == "length") range.length = parse_count(value, key);
  }
  return range;
}

std::optional<DType> to_dtype(std::int32_t type) {
  const auto element = static_cast<ElementType>(type);
  if (element == ElementType::kString) return DType::kString;
  if (count_small_bits(element) > 0) return is_small_float(element) ? DType::kFloat32 : DType::kInt32;
  const std::optional<RawType> raw = get_info(type).raw;
  return raw ? std::optional(get_dtype(*raw)) : std::nullopt;
}
std::string_view get_type_name(std::int32_t type) { return get_info(type).name; }

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
  if (static_cast<ElementType>(proto.type) == ElementType::kString) {
    check(proto.strings.size() == shape.elements(), "it has ", proto.strings.size(), " strings, its shape ",
          shape, " has ", shape.elements());
    return make_string_tensor(proto.strings, shape);
  }
  const TypeInfo& info = get_info(proto.type);
  const int small_bits = count_small_bits(static_cast<ElementType>(proto.type));
  check(info.raw.has_value() || small_bits > 0, "its type is number ", proto.type,
        ", which tensors cannot have");
  const auto count_bytes = [&](std::uint64_t count) {
    return small_bits > 0 ? (count * static_cast<std::uint64_t>(small_bits) + 7) / 8
                          : raw_bytes(*info.raw, count);
  };
  const std::uint64_t size = count_bytes(shape.elements());
  std::vector<std::byte> typed;
  if (!proto.is_external && !proto.raw) typed = typed_bytes(proto, count_bytes(1));
  const WeightData raw = proto.is_external ? find_external(proto, files, size)
                         : proto.raw       ? WeightData(*proto.raw)
                                           : WeightData(typed);
  check(raw.bytes.size() == size, "it has ", raw.bytes.size(), " bytes of data, its shape ", shape, " of ",
        info.name, " takes ", size);
  return small_bits > 0 ? decode_small(static_cast<ElementType>(proto.type), raw.bytes, shape)
                        : decode_raw(*info.raw, raw, shape);
}

}  // namespace tenure::onnx
