#include "import/tflite/types.h"

#include <algorithm>

#include "core/error.h"
#include "import/tflite/rare/sparse.h"
#include "import/tflite/rare/strings.h"
#include "model/files/raw_elements.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

struct TypeInfo {
  std::string_view name;
  std::optional<RawType> raw = {};
  // Values of quantized tensors. They are in a table because the split of the engine takes numbers in code
  // for addresses of data.
  std::int32_t lowest = 0;
  std::int32_t highest = 0;
};

/// By the numbers of ElementType.
constexpr TypeInfo kTypes[] = {
    {"float32", RawType::kFloat32},
    {"float16", RawType::kFloat16},
    {"int32", RawType::kInt32},
    {"uint8", RawType::kUint8, 0, 255},
    {"int64", RawType::kInt64},
    {"string"},
    {"bool", RawType::kBool},
    {"int16", RawType::kInt16, -32768, 32767},
    {"complex64"},
    {"int8", RawType::kInt8, -128, 127},
    {"float64", RawType::kFloat64},
    {"complex128"},
    {"uint64", RawType::kUint64},
    {"resource"},
    {"variant"},
    {"uint32", RawType::kUint32},
    {"uint16", RawType::kUint16, 0, 65535},
    {"int4", RawType::kInt4, -8, 7},
    {"bfloat16", RawType::kBfloat16},
    {"int2"},
    {"uint4", RawType::kUint4, 0, 15},
};

const TypeInfo& get_info(ElementType type) {
  static constexpr TypeInfo kUnknown{};
  const auto number = static_cast<int>(type);
  return number >= 0 && number < static_cast<int>(std::size(kTypes)) ? kTypes[number] : kUnknown;
}

void check_bytes(std::uint64_t given, std::uint64_t expected, const Shape& shape, std::string_view type) {
  check(given == expected, "it has ", given, " bytes of data, its shape ", shape, " of ", type, " takes ",
        expected);
}

/// Returns one value for each index of the quantized dimension, as it broadcasts to `shape`.
Tensor per_channel(const TensorDef& tensor, std::vector<float> values, const Shape& shape) {
  if (values.size() == 1) return Tensor::scalar(values[0]);
  const std::int32_t axis = tensor.quantization.dimension;
  check(axis >= 0 && axis < shape.rank && values.size() == static_cast<std::size_t>(shape[axis]), "it has ",
        values.size(), " scales along dimension ", axis, " of its shape ", shape);
  Shape along{shape[axis]};
  while (axis + along.rank < shape.rank) along.push_back(1);
  return Tensor::from(std::span<const float>(values), along);
}

}  // namespace

std::optional<RawType> get_raw_type(ElementType type) { return get_info(type).raw; }

std::optional<DType> to_dtype(ElementType type) {
  if (type == ElementType::kString) return DType::kString;
  if (type == ElementType::kComplex64) return DType::kComplex64;
  const std::optional<RawType> raw = get_info(type).raw;
  return raw ? std::optional(get_dtype(*raw)) : std::nullopt;
}
std::string_view get_type_name(ElementType type) { return get_info(type).name; }

bool is_quantized(const TensorDef& tensor) {
  return get_info(tensor.type).highest > 0 && !tensor.quantization.scales.empty();
}

std::pair<std::int32_t, std::int32_t> get_range(ElementType type) {
  return {get_info(type).lowest, get_info(type).highest};
}

std::int32_t zero_point(const Quantization& quantization, std::size_t channel) {
  const std::vector<std::int32_t>& zeros = quantization.zeros;
  return zeros.empty() ? 0 : zeros[channel < zeros.size() ? channel : 0];
}

bool has_same_values(const TensorDef& a, const TensorDef& b) {
  return a.type == b.type && a.quantization.scales == b.quantization.scales &&
         zero_point(a.quantization) == zero_point(b.quantization);
}

Shape to_shape(std::span<const std::int32_t> extents) {
  check(extents.size() <= kMaxRank, "a shape of rank ", extents.size(),
        " is higher than the highest supported, ", kMaxRank);
  Shape shape;
  for (const std::int32_t extent : extents) {
    check(extent >= 0, "a shape has the extent ", extent);
    shape.push_back(extent);
  }
  shape.validate();
  return shape;
}

std::uint64_t decoded_bytes(const TensorDef& tensor) {
  return 4 * std::uint64_t{to_shape(tensor.shape).elements()};
}

Tensor decode_tensor(const TensorDef& tensor, std::span<const std::byte> buffer) {
  const Shape shape = to_shape(tensor.shape);
  const TypeInfo& info = get_info(tensor.type);
  if (tensor.type == ElementType::kString) return decode_strings(buffer, shape);
  check(info.raw.has_value(), "its type is number ", static_cast<int>(tensor.type), " (", info.name,
        "), which tensors cannot have");
  if (tensor.sparsity) {
    const std::uint64_t bytes = raw_bytes(*info.raw, 1);
    const bool is_packed = raw_bytes(*info.raw, 2) == bytes;
    check(!is_packed && tensor.type != ElementType::kBool, "sparse tensors of ", info.name,
          " are not supported");
    const std::uint64_t count = buffer.size() / bytes;
    check(buffer.size() % bytes == 0 && count <= INT32_MAX, "it has ", buffer.size(), " bytes of ",
          info.name);
    return make_dense(*tensor.sparsity, decode_raw(*info.raw, buffer, {static_cast<std::int32_t>(count)}),
                      shape);
  }
  check_bytes(buffer.size(), raw_bytes(*info.raw, shape.elements()), shape, info.name);
  return decode_raw(*info.raw, buffer, shape);
}

Tensor decode_longs(const TensorDef& tensor, std::span<const std::byte> buffer) {
  const Shape shape = to_shape(tensor.shape);
  check_bytes(buffer.size(), std::uint64_t{8} * shape.elements(), shape, get_type_name(tensor.type));
  Tensor result({shape, DType::kFloat32});
  float* to = result.mutable_data<float>();
  for (std::size_t i = 0; i < result.elements(); ++i) {
    std::int64_t value;
    std::memcpy(&value, buffer.data() + i * sizeof(value), sizeof(value));
    to[i] = static_cast<float>(value);
  }
  return result;
}

Tensor remove_zero_point(const TensorDef& tensor, const Tensor& values) {
  Tensor numbers = cast(values, {DType::kFloat32});
  std::vector<float> zeros;
  for (std::size_t i = 0; i < std::max<std::size_t>(tensor.quantization.scales.size(), 1); ++i)
    zeros.push_back(static_cast<float>(zero_point(tensor.quantization, i)));
  if (std::all_of(zeros.begin(), zeros.end(), [](float zero) { return zero == 0; })) return numbers;
  return sub(numbers, per_channel(tensor, std::move(zeros), values.shape()));
}

Tensor dequantize(const TensorDef& tensor, const Tensor& values) {
  if (tensor.quantization.scales.empty() || values.dtype() != DType::kInt32) return values;
  return mul(remove_zero_point(tensor, values),
             per_channel(tensor, tensor.quantization.scales, values.shape()));
}

}  // namespace tenure::tflite
