#include "import/tflite/types.h"

#include <algorithm>

#include "core/error.h"
#include "core/strings.h"
#include "import/tflite/sparse.h"
#include "model/files/weights.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

struct TypeInfo {
  std::string_view name;
  std::uint8_t bytes = 0;  ///< of an element; of two elements of 4 bits
  std::optional<DType> dtype = {};
  // Of quantized tensors. In a table: the split of the engine takes numbers in code for addresses of data.
  std::int32_t lowest = 0;
  std::int32_t highest = 0;
};

/// By the numbers of ElementType.
constexpr TypeInfo kTypes[] = {
    {"float32", 4, DType::kFloat32},
    {"float16", 2, DType::kFloat32},
    {"int32", 4, DType::kInt32},
    {"uint8", 1, DType::kInt32, 0, 255},
    {"int64", 8, DType::kInt32},
    {"string", 0, DType::kString},
    {"bool", 1, DType::kBool},
    {"int16", 2, DType::kInt32, -32768, 32767},
    {"complex64", 8, {}},
    {"int8", 1, DType::kInt32, -128, 127},
    {"float64", 8, DType::kFloat32},
    {"complex128", 16, {}},
    {"uint64", 8, DType::kInt32},
    {"resource", 0, {}},
    {"variant", 0, {}},
    {"uint32", 4, DType::kInt32},
    {"uint16", 2, DType::kInt32, 0, 65535},
    {"int4", 1, DType::kInt32, -8, 7},
    {"bfloat16", 2, DType::kFloat32},
};

const TypeInfo& info_of(ElementType type) {
  static constexpr TypeInfo kUnknown{};
  const auto number = static_cast<int>(type);
  return number >= 0 && number < static_cast<int>(std::size(kTypes)) ? kTypes[number] : kUnknown;
}

template <class From, class To, class Convert>
void convert(std::span<const std::byte> from, std::span<To> to, Convert convert_one) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    From value;
    std::memcpy(&value, from.data() + i * sizeof(From), sizeof(From));
    to[i] = convert_one(value);
  }
}

float from_bfloat16(std::uint16_t bits) {
  const std::uint32_t word = std::uint32_t{bits} << 16;
  float value;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

std::int32_t saturate_unsigned(std::uint64_t value) {
  return static_cast<std::int32_t>(std::min<std::uint64_t>(value, INT32_MAX));
}

Tensor decode_half(std::span<const std::byte> raw, const Shape& shape) {
  WeightSpec spec{.name = "float16", .spec = {shape, DType::kFloat32}, .encoding = Encoding::kFloat16};
  return decode_weights(std::span(&spec, 1), WeightData(raw)).at(0).tensor;
}

/// Decodes strings: their number, the position of each and of the end, and the text.
Tensor decode_strings(std::span<const std::byte> raw, const Shape& shape) {
  const FlatBuffer file(raw);
  const auto count = file.read<std::uint32_t>(0);
  check(count == shape.elements(), "it has ", count, " strings, its shape ", shape, " has ",
        shape.elements());
  std::vector<std::string_view> strings;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto start = file.read<std::uint32_t>(4 + 4 * std::uint64_t{i});
    const auto end = file.read<std::uint32_t>(8 + 4 * std::uint64_t{i});
    check(start <= end, "its string ", i, " begins at byte ", start, " and ends at byte ", end);
    const std::span<const std::byte> bytes = file.slice(start, end - start);
    strings.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return tensor_of(strings, shape);
}

Tensor decode_raw(ElementType type, std::span<const std::byte> raw, const Shape& shape) {
  if (type == ElementType::kFloat16) return decode_half(raw, shape);
  Tensor tensor({shape, *info_of(type).dtype});
  if (tensor.elements() == 0) return tensor;
  const auto same = [](auto value) { return static_cast<std::int32_t>(value); };
  const std::span floats(tensor.mutable_data<float>(), tensor.elements());
  const std::span integers(tensor.mutable_data<std::int32_t>(), tensor.elements());
  switch (type) {
    case ElementType::kFloat32:
    case ElementType::kInt32: std::memcpy(tensor.mutable_data<std::byte>(), raw.data(), raw.size()); break;
    case ElementType::kBool: {
      const std::span flags(tensor.mutable_data<std::uint8_t>(), tensor.elements());
      convert<std::uint8_t>(raw, flags, [](auto value) -> std::uint8_t { return value != 0; });
      break;
    }
    case ElementType::kUint8: convert<std::uint8_t>(raw, integers, same); break;
    case ElementType::kInt8: convert<std::int8_t>(raw, integers, same); break;
    case ElementType::kUint16: convert<std::uint16_t>(raw, integers, same); break;
    case ElementType::kInt16: convert<std::int16_t>(raw, integers, same); break;
    case ElementType::kInt64: convert<std::int64_t>(raw, integers, saturate); break;
    case ElementType::kUint32: convert<std::uint32_t>(raw, integers, saturate_unsigned); break;
    case ElementType::kUint64: convert<std::uint64_t>(raw, integers, saturate_unsigned); break;
    case ElementType::kBfloat16: convert<std::uint16_t>(raw, floats, from_bfloat16); break;
    case ElementType::kFloat64:
      convert<double>(raw, floats, [](double value) { return static_cast<float>(value); });
      break;
    case ElementType::kInt4:
      // Each byte has two elements, the low bits first.
      for (std::size_t i = 0; i < integers.size(); ++i) {
        const std::int32_t value = std::to_integer<std::int32_t>(raw[i / 2]) >> (i % 2 * 4) & 15;
        integers[i] = value > 7 ? value - 16 : value;
      }
      break;
    default: fail("its type has no raw data");
  }
  return tensor;
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

std::optional<DType> to_dtype(ElementType type) { return info_of(type).dtype; }
std::string_view name_of_type(ElementType type) { return info_of(type).name; }

std::int32_t saturate(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
}

bool is_quantized(const TensorDef& tensor) {
  return info_of(tensor.type).highest > 0 && !tensor.quantization.scales.empty();
}

std::pair<std::int32_t, std::int32_t> range_of(ElementType type) {
  return {info_of(type).lowest, info_of(type).highest};
}

std::int32_t zero_point(const Quantization& quantization, std::size_t channel) {
  const std::vector<std::int32_t>& zeros = quantization.zeros;
  return zeros.empty() ? 0 : zeros[channel < zeros.size() ? channel : 0];
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
  const TypeInfo& info = info_of(tensor.type);
  check(info.dtype.has_value(), "its type is number ", static_cast<int>(tensor.type), " (", info.name,
        "), which tensors cannot have");
  if (*info.dtype == DType::kString) return decode_strings(buffer, shape);
  const bool is_packed = tensor.type == ElementType::kInt4;
  if (tensor.sparsity) {
    check(!is_packed && *info.dtype != DType::kBool, "sparse tensors of ", info.name, " are not supported");
    const std::size_t count = buffer.size() / info.bytes;
    check(buffer.size() % info.bytes == 0 && count <= INT32_MAX, "it has ", buffer.size(), " bytes of ",
          info.name);
    return make_dense(*tensor.sparsity, decode_raw(tensor.type, buffer, {static_cast<std::int32_t>(count)}),
                      shape);
  }
  const std::size_t size = is_packed ? (shape.elements() + 1) / 2 : shape.elements() * info.bytes;
  check(buffer.size() == size, "it has ", buffer.size(), " bytes of data, its shape ", shape, " of ",
        info.name, " takes ", size);
  return decode_raw(tensor.type, buffer, shape);
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
  if (!is_quantized(tensor)) return values;
  return mul(remove_zero_point(tensor, values),
             per_channel(tensor, tensor.quantization.scales, values.shape()));
}

}  // namespace tenure::tflite
