// Ops of the bits of integers.

#include <cstring>

#include "import/onnx/families.h"
#include "import/onnx/rare_rows/small_types.h"
#include "import/onnx/rows/integers.h"

namespace tenure::onnx {
namespace {

/// Returns the number of values of a type of small integers, or 0 for other types.
std::int32_t count_values(ElementType type) {
  const auto range = get_range(type);
  return range ? range->second - range->first + 1 : 0;
}

/// Reinterprets the bits of integers, and of 32-bit numbers.
Tensor bit_cast(const Call& call) {
  const auto to = static_cast<ElementType>(call.attrs().integer("to", 0));
  const auto is_word = [](ElementType type) {
    return type == ElementType::kFloat || type == ElementType::kInt32 || type == ElementType::kUint32;
  };
  const DType dtype = call.attrs().dtype("to");
  const Tensor& x = call[0];
  const ElementType from = x.dtype() == DType::kBool ? ElementType::kUint8 : element_type(call, 0);
  check(
      from == to || !(is_small_float(from) || is_small_float(to)), "bits are not cast between ",
      from == ElementType::kUndefined ? get_name(x.dtype()) : get_type_name(static_cast<std::int32_t>(from)),
      " and ", get_type_name(static_cast<std::int32_t>(to)));
  if (get_range(to) && count_values(from) == count_values(to)) return wrap(as_dtype(x, DType::kInt32), to);
  if (x.dtype() == dtype && (dtype == DType::kFloat32 || is_word(to))) return x;
  check(is_word(to) && (x.dtype() == DType::kFloat32 || x.dtype() == DType::kInt32),
        "bits are cast between integers of 8 or 16 bits, and between float32, int32 and uint32 only, got ",
        get_name(x.dtype()), " to ", get_name(dtype));
  const Tensor& values = call.value(0);
  Tensor result({x.shape(), dtype});
  if (dtype == DType::kInt32) {
    std::memcpy(result.mutable_data<std::int32_t>(), values.data<float>(), values.bytes());
  } else {
    std::memcpy(result.mutable_data<float>(), values.data<std::int32_t>(), values.bytes());
  }
  return result;
}

/// Shifts bits: a product with a power of 2, or a quotient.
Tensor shifted(const Call& call) {
  const std::string_view direction = call.attrs().string("direction");
  check(direction == "LEFT" || direction == "RIGHT", "attribute \"direction\" is \"", direction, "\"");
  const ElementType type = element_type(call, 0);
  if (direction == "RIGHT") {
    // 2^31 is not an int32; the result is 0.
    const Tensor quotient = floor_div(call[0], pow(Tensor::scalar(2), call[1]));
    const Tensor zero = Tensor::scalar(0);
    Tensor y = where(less(call[1], Tensor::scalar(31)), quotient, zero);
    if (type != ElementType::kUint32) return y;
    // Numbers beyond int32 are negative. What their quotients lack is 2^(32 - shift), which is 1 less where
    // the result is 0.
    const Tensor lacking = sub(pow(Tensor::scalar(2), sub(Tensor::scalar(32), call[1])),
                               as_dtype(greater(call[1], Tensor::scalar(30)), DType::kInt32));
    return add(y, where(less(call[0], zero), lacking, zero));
  }
  // 0 stays 0 even if the factor is beyond int32.
  const Tensor shift =
      has_64_bits(type) ? where(equal(call[0], Tensor::scalar(0)), Tensor::scalar(0), call[1]) : call[1];
  const Tensor factor = run_arithmetic(Op::pow, Tensor::scalar(2), shift, type, type);
  return run_arithmetic(Op::mul, call[0], factor, type, type);
}

Tensor flip_bits(const Tensor& x) { return sub(Tensor::scalar(-1), x); }

Tensor bitwise_not(const Call& call) { return wrap(flip_bits(call[0]), element_type(call, 0)); }

Tensor bitwise_both(const Call& call) {
  const Shape shape = broadcast(call[0].shape(), call[1].shape());
  return bitwise_and(broadcast_to(call[0], {shape}), broadcast_to(call[1], {shape}));
}

/// Returns the bits of a that b has not.
Tensor bits_without(const Tensor& a, const Tensor& b) {
  const Shape shape = broadcast(a.shape(), b.shape());
  return bitwise_and(broadcast_to(a, {shape}), broadcast_to(flip_bits(b), {shape}));
}

// Sums of numbers that have no bit in common.
Tensor bitwise_or(const Call& call) { return add(bits_without(call[0], call[1]), call[1]); }
Tensor bitwise_xor(const Call& call) {
  return add(bits_without(call[0], call[1]), bits_without(call[1], call[0]));
}

constexpr Row kRows[] = {
    {"BitCast", bit_cast},       {"BitShift", shifted},     {"BitwiseAnd", bitwise_both},
    {"BitwiseNot", bitwise_not}, {"BitwiseOr", bitwise_or}, {"BitwiseXor", bitwise_xor},
};

}  // namespace

std::span<const Row> bit_rows() { return kRows; }

}  // namespace tenure::onnx
