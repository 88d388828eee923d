// Elementwise arithmetic, comparison and conversion.

#include <cstring>
#include <limits>

#include "import/onnx/families.h"
#include "import/onnx/rare_rows/small_types.h"
#include "import/onnx/rare_rows/text/string_casts.h"
#include "import/onnx/rows/integers.h"
#include "model/executor/executor.h"

namespace tenure::onnx {
namespace {

/// Returns input 1 as it broadcasts to input 0. Before opset 7 its dimensions began at the attribute "axis".
Tensor second_operand(const Call& call) {
  const Tensor& b = call[1];
  const std::int32_t axis = call.attrs().integer("axis", -1);
  if (opset(call) >= 7 || axis < 0) return b;
  Shape shape = b.shape();
  while (axis + shape.rank < call[0].rank()) shape.push_back(1);
  return reshape(b, {shape});
}

template <Op op>
Tensor binary(const Call& call) {
  const Tensor b = second_operand(call);
  return run(op, {&call[0], &b});
}

template <Op op>
Tensor arithmetic(const Call& call) {
  return run_arithmetic(op, call[0], second_operand(call), element_type(call, 0), element_type(call, 1));
}

/// Divides; integers are truncated toward zero.
Tensor divide(const Call& call) {
  const Tensor& a = call[0];
  const Tensor b = second_operand(call);
  if (a.dtype() == DType::kFloat32) return div(a, b);
  return divide_toward_zero(a, b, element_type(call, 0), element_type(call, 1));
}

/// Returns the remainder, with the sign of b, or of a if the attribute "fmod" is set.
Tensor modulo(const Call& call) {
  const Tensor& a = call[0];
  const Tensor& b = call[1];
  if (!call.attrs().flag("fmod")) return mod(a, b);
  if (a.dtype() == DType::kFloat32) return mul(sign(a), mod(abs(a), abs(b)));
  // The lowest integer has no absolute value.
  return sub(a, mul(divide_toward_zero(a, b, ElementType::kUndefined, ElementType::kUndefined), b));
}

Tensor negated(const Call& call) {
  if (!has_64_bits(call, 0)) return wrap(neg(call[0]), element_type(call, 0));
  return checked_arithmetic(Tensor::scalar(0), call[0], {.op = IntegerArithmetic::kSubtract});
}

Tensor absolute(const Call& call) {
  return has_64_bits(call, 0) ? absolute_checked(call[0]) : wrap(abs(call[0]), element_type(call, 0));
}

Tensor power(const Call& call) {
  const Tensor& a = call[0];
  const ElementType type = element_type(call, 0);
  Tensor b = second_operand(call);
  // float32 holds not every power of integers.
  if (a.dtype() == DType::kInt32 && b.dtype() == DType::kFloat32 && b.elements() == 1 &&
      static_cast<float>(call.integer(1)) == call.number(1))
    b = as_dtype(b, DType::kInt32);
  return from_floats(run_arithmetic(Op::pow, a, b, type, type), a.dtype(), type);
}

template <Op op>
Tensor folded(const Call& call) {
  Tensor result = call[0];
  for (int i = 1; i < call.size(); ++i) result = run(op, {&result, &call[i]});
  return result;
}

Tensor add_all(const Call& call) {
  Tensor result = call[0];
  for (int i = 1; i < call.size(); ++i)
    result = run_arithmetic(Op::add, result, call[i], element_type(call, 0), element_type(call, i));
  return result;
}

Tensor mean_of_all(const Call& call) {
  return div(add_all(call), Tensor::scalar(static_cast<float>(call.size())));
}

Tensor clipped(const Call& call) {
  const Tensor& x = call[0];
  if (opset(call) < 11) {
    constexpr float kMax = std::numeric_limits<float>::max();
    return clip_by_value(x, {.min = static_cast<float>(call.attrs().number("min", -kMax)),
                             .max = static_cast<float>(call.attrs().number("max", kMax))});
  }
  const Tensor low = optional(call, 1);
  const Tensor high = optional(call, 2);
  if (x.dtype() == DType::kFloat32 && low.has_data() && high.has_data())
    return clip_by_value(x, {.min = call.number(1), .max = call.number(2)});
  Tensor result = x;
  if (low) result = maximum(result, low);
  if (high) result = minimum(result, high);
  return result;
}

Tensor convert_dtype(const Call& call, DType to, ElementType type) {
  const Tensor& x = call[0];
  if (x.dtype() == to) return x;
  if (x.dtype() != DType::kString && to != DType::kString) return from_floats(x, to, type);
  if (!x.has_data()) throw NeedsValues();
  return to == DType::kString ? format_numbers(x) : parse_numbers(x, to, has_64_bits(type));
}

/// Casts; to small integers as they wrap around, to small floats rounded.
Tensor convert(const Call& call, DType to, ElementType type) {
  const Tensor y = convert_dtype(call, to, type);
  if (!is_small_float(type)) return wrap(y, type);
  return round_to_small(
      y, type,
      {.saturates = call.attrs().flag("saturate", true), .mode = call.attrs().string("round_mode", "up")});
}

Tensor converted(const Call& call) {
  return convert(call, call.attrs().dtype("to"), static_cast<ElementType>(call.attrs().integer("to", 0)));
}

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

Tensor converted_like(const Call& call) { return convert(call, call[1].dtype(), element_type(call, 1)); }

/// Shifts bits: a product with a power of 2, or a quotient.
Tensor shifted(const Call& call) {
  const std::string_view direction = call.attrs().string("direction");
  check(direction == "LEFT" || direction == "RIGHT", "attribute \"direction\" is \"", direction, "\"");
  const ElementType type = element_type(call, 0);
  if (direction == "RIGHT") {
    // 2^31 is not an int32; the result is 0.
    const Tensor quotient = floor_div(call[0], pow(Tensor::scalar(2), call[1]));
    return where(less(call[1], Tensor::scalar(31)), quotient, Tensor::scalar(0));
  }
  // 0 stays 0 even if the factor is beyond int32.
  const Tensor shift =
      has_64_bits(type) ? where(equal(call[0], Tensor::scalar(0)), Tensor::scalar(0), call[1]) : call[1];
  const Tensor factor = run_arithmetic(Op::pow, Tensor::scalar(2), shift, type, type);
  return run_arithmetic(Op::mul, call[0], factor, type, type);
}

Tensor infinite(const Call& call) {
  const Tensor& x = call[0];
  const bool positive = call.attrs().flag("detect_positive", true);
  const bool negative = call.attrs().flag("detect_negative", true);
  if (positive && negative) return is_inf(x);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (positive) return equal(x, Tensor::scalar(kInfinity));
  if (negative) return equal(x, Tensor::scalar(-kInfinity));
  return logical_and(is_inf(x), is_nan(x));
}

/// Returns the sign, or NaN.
Tensor get_sign(const Call& call) {
  const Tensor& x = call[0];
  return x.dtype() == DType::kFloat32 ? where(is_nan(x), x, sign(x)) : sign(x);
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

Tensor selected(const Call& call) { return where(call[0], call[1], call[2]); }

constexpr Row kRows[] = {
    {"Abs", absolute},
    {"Acos", Op::acos, 1},
    {"Acosh", Op::acosh, 1},
    {"Add", arithmetic<Op::add>},
    {"And", binary<Op::logical_and>},
    {"Asin", Op::asin, 1},
    {"Asinh", Op::asinh, 1},
    {"Atan", Op::atan, 1},
    {"Atanh", Op::atanh, 1},
    {"BitShift", shifted},
    {"BitwiseAnd", bitwise_both},
    {"BitwiseNot", bitwise_not},
    {"BitwiseOr", bitwise_or},
    {"BitwiseXor", bitwise_xor},
    {"BitCast", bit_cast},
    {"Cast", converted},
    {"CastLike", converted_like},
    {"Ceil", Op::ceil, 1},
    {"Clip", clipped},
    {"Cos", Op::cos, 1},
    {"Cosh", Op::cosh, 1},
    {"Div", divide},
    {"Equal", binary<Op::equal>},
    {"Erf", Op::erf, 1},
    {"Exp", Op::exp, 1},
    {"Floor", Op::floor, 1},
    {"Greater", binary<Op::greater>},
    {"GreaterOrEqual", Op::greater_equal, 2},
    {"IsInf", infinite},
    {"IsNaN", Op::is_nan, 1},
    {"Less", binary<Op::less>},
    {"LessOrEqual", Op::less_equal, 2},
    {"Log", Op::log, 1},
    {"Max", folded<Op::maximum>},
    {"Mean", mean_of_all},
    {"Min", folded<Op::minimum>},
    {"Mod", modulo},
    {"Mul", arithmetic<Op::mul>},
    {"Neg", negated},
    {"Not", Op::logical_not, 1},
    {"Or", binary<Op::logical_or>},
    {"Pow", power},
    {"Reciprocal", Op::reciprocal, 1},
    {"Round", Op::round, 1},
    {"Sign", get_sign},
    {"Sin", Op::sin, 1},
    {"Sinh", Op::sinh, 1},
    {"Sqrt", Op::sqrt, 1},
    {"Sub", arithmetic<Op::sub>},
    {"Sum", add_all},
    {"Tan", Op::tan, 1},
    {"Where", selected},
    {"Xor", binary<Op::logical_xor>},
};

}  // namespace

std::span<const Row> math_rows() { return kRows; }

}  // namespace tenure::onnx
