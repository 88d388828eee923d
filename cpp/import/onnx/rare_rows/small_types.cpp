// Floats of 4 and 8 bits and bfloat16, which are float32 in the engine, and integers of 2 bits. The formats
// are those of the "Float stored in 8 bits" page of ONNX.

#include "import/onnx/rare_rows/small_types.h"

#include <array>
#include <limits>

#include "core/error.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct FloatFormat {
  ElementType type;
  int exponent_bits;
  int fraction_bits;
  int bias;
  float max;
  bool has_infinity = false;
  bool has_negative_zero = true;  ///< otherwise its code is that of NaN
};

/// kFloat8E8M0, which has neither a sign nor a fraction, is not among them.
constexpr FloatFormat kFormats[] = {
    {ElementType::kBfloat16, 8, 7, 127, 3.3895314e38F, true},
    {ElementType::kFloat8E4M3FN, 4, 3, 7, 448},
    {ElementType::kFloat8E4M3FNUZ, 4, 3, 8, 240, false, false},
    {ElementType::kFloat8E5M2, 5, 2, 15, 57344, true},
    {ElementType::kFloat8E5M2FNUZ, 5, 2, 16, 57344, false, false},
    {ElementType::kFloat4E2M1, 2, 1, 1, 6},
};

const FloatFormat& find_format(ElementType type) {
  for (const FloatFormat& format : kFormats) {
    if (format.type == type) return format;
  }
  fail("type number ", static_cast<std::int32_t>(type), " is not a small float");
}

float get_power(int exponent) {
  float power = 1;
  for (int i = 0; i < exponent; ++i) power *= 2;
  for (int i = 0; i > exponent; --i) power *= 0.5F;
  return power;
}

float decode_power(std::int32_t code) { return code == 255 ? kNaN : get_power(code - 127); }

float decode_float(const FloatFormat& format, std::int32_t code) {
  const std::int32_t sign = 1 << (format.exponent_bits + format.fraction_bits);
  if (code == sign && !format.has_negative_zero) return kNaN;
  const std::int32_t hidden = 1 << format.fraction_bits;
  const std::int32_t exponent = (code & (sign - 1)) >> format.fraction_bits;
  const std::int32_t fraction = code & (hidden - 1);
  const int scale = (exponent == 0 ? 1 : exponent) - format.bias - format.fraction_bits;
  float value = static_cast<float>(exponent == 0 ? fraction : fraction + hidden) * get_power(scale);
  if (value > format.max) value = format.has_infinity && fraction == 0 ? kInfinity : kNaN;
  return (code & sign) != 0 ? -value : value;
}

float decode(ElementType type, std::int32_t code) {
  if (type == ElementType::kUint2) return static_cast<float>(code);
  if (type == ElementType::kInt2) return static_cast<float>(code > 1 ? code - 4 : code);
  return type == ElementType::kFloat8E8M0 ? decode_power(code) : decode_float(find_format(type), code);
}

/// Returns x, which is above the bound, so that a compiler of shaders neither fuses it with a product nor
/// cancels it in a sum: p - (p - x) would be x. A compiler that assumes no infinities may remove the lowest
/// float as bound.
Tensor hide(const Tensor& x) { return maximum(x, Tensor::scalar(-3e38F)); }

/// Rounds numbers of at most 2^100 to `bits` bits, halves to even ones, by the splitting of Veltkamp (A
/// floating-point technique for extending the available precision, Dekker 1971).
Tensor round_fraction(const Tensor& x, int bits) {
  const Tensor product = hide(mul(x, Tensor::scalar(static_cast<float>((1 << (24 - bits)) + 1))));
  return sub(product, hide(sub(product, x)));
}

/// Numbers of which large ones are divided by 2^64, which is exact, so that products do not overflow.
struct Scaled {
  explicit Scaled(const Tensor& x)
      : is_large(greater_equal(abs(x), Tensor::scalar(get_power(64)))),
        x(where(is_large, mul(x, Tensor::scalar(get_power(-64))), x)) {}
  /// Returns y, which is scaled as x, as a number; infinity if there is none.
  Tensor restore(const Tensor& y) const { return where(is_large, mul(y, Tensor::scalar(get_power(64))), y); }

  Tensor is_large;
  Tensor x;
};

/// As in onnxruntime, zero and negative numbers become 2^-127 if the conversion saturates, too large ones and
/// infinity 2^127. Otherwise all of these become NaN.
Tensor round_to_power(const Tensor& x, const SmallRounding& how) {
  const std::string_view mode = how.mode;
  check(mode == "up" || mode == "down" || mode == "nearest", "attribute \"round_mode\" is \"", mode, "\"");
  const Scaled scaled(x);
  const Tensor near = round_fraction(scaled.x, 1);
  Tensor y = where(greater(near, scaled.x), mul(near, Tensor::scalar(0.5F)), near);
  const Tensor twice = mul(y, Tensor::scalar(2.0F));
  if (mode == "up") y = where(less(y, scaled.x), twice, y);
  if (mode == "nearest") y = where(less_equal(mul(y, Tensor::scalar(1.5F)), scaled.x), twice, y);
  y = scaled.restore(y);
  const Tensor least = Tensor::scalar(get_power(-127));
  const Tensor none = Tensor::scalar(kNaN);
  const bool saturates = how.saturates;
  y = where(is_finite(y), maximum(y, least), saturates ? Tensor::scalar(get_power(127)) : none);
  y = where(greater(x, Tensor::scalar(0.0F)), y, saturates ? least : none);
  return where(is_nan(x), none, y);
}

}  // namespace

Tensor decode_small(ElementType type, std::span<const std::byte> raw, const Shape& shape) {
  const bool is_integer = type == ElementType::kUint2 || type == ElementType::kInt2;
  const int bits = count_small_bits(type);
  const int in_byte = 8 / bits;
  std::array<float, 256> values;
  for (std::int32_t code = 0; code < 1 << bits; ++code)
    values[static_cast<std::size_t>(code)] = decode(type, code);
  Tensor tensor({shape, is_integer ? DType::kInt32 : DType::kFloat32});
  for (std::size_t i = 0; i < tensor.elements(); ++i) {
    const auto at = static_cast<int>(i % static_cast<std::size_t>(in_byte)) * bits;
    const auto byte = std::to_integer<std::uint32_t>(raw[i / static_cast<std::size_t>(in_byte)]);
    const float value = values[byte >> at & ((1U << bits) - 1)];
    if (is_integer) {
      tensor.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(value);
    } else {
      tensor.mutable_data<float>()[i] = value;
    }
  }
  return tensor;
}

Tensor round_to_small(const Tensor& x, ElementType type, const SmallRounding& how) {
  if (type == ElementType::kFloat8E8M0) return round_to_power(x, how);
  const FloatFormat& format = find_format(type);
  if (type == ElementType::kBfloat16) {
    const Scaled scaled(x);
    const Tensor y = scaled.restore(round_fraction(scaled.x, format.fraction_bits + 1));
    // Values that overflow are kept: they mask scores out, and -inf would make NaN of them.
    return where(is_nan(x), x, where(is_finite(y), y, x));
  }
  // Not finite, or too large for the format, if a product overflows.
  Tensor y = round_fraction(x, format.fraction_bits + 1);
  const float least = get_power(1 - format.bias);
  const float step = get_power(1 - format.bias - format.fraction_bits);
  const Tensor subnormal = mul(round(mul(x, Tensor::scalar(1 / step))), Tensor::scalar(step));
  y = where(less(abs(x), Tensor::scalar(least)), subnormal, y);
  // kFloat4E2M1 has neither infinity nor NaN.
  const bool is_finite_only = type == ElementType::kFloat4E2M1;
  const float beyond = how.saturates || is_finite_only ? format.max : format.has_infinity ? kInfinity : kNaN;
  const Tensor limit = mul(sign(x), Tensor::scalar(beyond));
  const Tensor none = is_finite_only ? Tensor::scalar(0.0F) : x;
  return where(is_nan(x), none, where(less_equal(abs(y), Tensor::scalar(format.max)), y, limit));
}

}  // namespace tenure::onnx
