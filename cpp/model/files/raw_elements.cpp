#include "model/files/raw_elements.h"

#include <algorithm>
#include <cstring>

#include "core/memory/half_floats.h"
#include "core/memory/narrow_integers.h"

namespace tenure {
namespace {

struct RawTypeInfo {
  std::uint8_t bits;
  DType dtype;
};

/// By RawType.
constexpr RawTypeInfo kTypes[] = {
    {32, DType::kFloat32}, {16, DType::kFloat32}, {16, DType::kFloat32}, {64, DType::kFloat32},
    {4, DType::kInt32},    {4, DType::kInt32},    {8, DType::kInt32},    {8, DType::kInt32},
    {16, DType::kInt32},   {16, DType::kInt32},   {32, DType::kInt32},   {32, DType::kInt32},
    {64, DType::kInt32},   {64, DType::kInt32},   {8, DType::kBool},
};

const RawTypeInfo& get_info(RawType type) { return kTypes[static_cast<std::size_t>(type)]; }

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

/// Decodes halves. Those of a vector are few, and ops that read vectors read float32.
Tensor decode_half(const WeightData& data, const Shape& shape) {
  if (shape.rank > 1 && HalfFloats::can_hold(data.bytes))
    return data.owner ? HalfFloats::make(data.owner, shape) : HalfFloats::make(data.bytes, shape);
  Tensor tensor({shape, DType::kFloat32});
  halves_to_floats(data.bytes.data(), tensor.elements(), tensor.mutable_data<float>());
  return tensor;
}

void unpack(std::span<const std::byte> raw, std::span<std::int32_t> to, bool is_signed) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::int32_t value = std::to_integer<std::int32_t>(raw[i / 2]) >> (i % 2 * 4) & 15;
    to[i] = is_signed && value > 7 ? value - 16 : value;
  }
}

bool is_narrow(RawType type) { return get_info(type).dtype == DType::kInt32 && get_info(type).bits <= 8; }
bool is_signed(RawType type) { return type == RawType::kInt4 || type == RawType::kInt8; }

}  // namespace

DType get_dtype(RawType type) { return get_info(type).dtype; }

std::uint64_t raw_bytes(RawType type, std::uint64_t count) { return (count * get_info(type).bits + 7) / 8; }

std::int32_t saturate(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
}

Tensor decode_raw(RawType type, const WeightData& data, const Shape& shape) {
  const std::span<const std::byte> raw = data.bytes;
  if (type == RawType::kFloat16) return decode_half(data, shape);
  if (is_narrow(type) && shape.elements() >= NarrowIntegers::kMinElements) {
    const int bits = get_info(type).bits;
    return data.owner ? NarrowIntegers::make(data.owner, shape, bits, is_signed(type))
                      : NarrowIntegers::make(raw, shape, bits, is_signed(type));
  }
  if (data.owner && (type == RawType::kFloat32 || type == RawType::kInt32))
    return Tensor(data.owner, {shape, get_dtype(type)});
  Tensor tensor({shape, get_dtype(type)});
  if (tensor.elements() == 0) return tensor;
  const auto same = [](auto value) { return static_cast<std::int32_t>(value); };
  const auto as_float = [](auto value) { return static_cast<float>(value); };
  const std::span floats(tensor.mutable_data<float>(), tensor.elements());
  const std::span integers(tensor.mutable_data<std::int32_t>(), tensor.elements());
  switch (type) {
    case RawType::kFloat16: break;
    case RawType::kFloat32:
    case RawType::kInt32: std::memcpy(tensor.mutable_data<std::byte>(), raw.data(), raw.size()); break;
    case RawType::kBool: {
      const std::span flags(tensor.mutable_data<std::uint8_t>(), tensor.elements());
      convert<std::uint8_t>(raw, flags, [](auto value) -> std::uint8_t { return value != 0; });
      break;
    }
    case RawType::kInt4: unpack(raw, integers, true); break;
    case RawType::kUint4: unpack(raw, integers, false); break;
    case RawType::kInt8: convert<std::int8_t>(raw, integers, same); break;
    case RawType::kUint8: convert<std::uint8_t>(raw, integers, same); break;
    case RawType::kInt16: convert<std::int16_t>(raw, integers, same); break;
    case RawType::kUint16: convert<std::uint16_t>(raw, integers, same); break;
    case RawType::kUint32: convert<std::uint32_t>(raw, integers, saturate_unsigned); break;
    case RawType::kInt64: convert<std::int64_t>(raw, integers, saturate); break;
    case RawType::kUint64: convert<std::uint64_t>(raw, integers, saturate_unsigned); break;
    case RawType::kBfloat16: convert<std::uint16_t>(raw, floats, from_bfloat16); break;
    case RawType::kFloat64: convert<double>(raw, floats, as_float); break;
  }
  return tensor;
}

}  // namespace tenure
