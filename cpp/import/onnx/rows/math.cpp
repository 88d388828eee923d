// Elementwise arithmetic, comparison and conversion.

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
Tensor comparison(const Call& call) {
  const bool is_flipped = has_uint32(call);
  const Tensor a = flip_order(call[0], is_flipped);
  const Tensor b = flip_order(second_operand(call), is_flipped);
  return run(op, {&a, &b});
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
  if (is_unsigned(element_type(call, 0))) return call[0];
  return has_64_bits(call, 0) ? absolute_checked(call[0]) : wrap(abs(call[0]), element_type(call, 0));
}

Tensor power(const Call& call) {
  const Tensor& a = call[0];
  const ElementType type = element_type(call, 0);
  const Tensor b = second_operand(call);
  if (a.dtype() != DType::kInt32 || b.dtype() != DType::kFloat32)
    return from_floats(run_arithmetic(Op::pow, a, b, type, type), a.dtype(), type);
  // float32 cannot hold every power of integers, so those of whole exponents are computed as integers.
  // Exponents of 0 take the place of the others.
  const Tensor zero = Tensor::scalar(0.0F);
  const Tensor is_whole = equal(b, floor(b));
  const Tensor whole = as_dtype(where(is_whole, b, zero), DType::kInt32);
  const Tensor roots = from_floats(pow(a, where(is_whole, zero, b)), DType::kInt32, type);
  return where(is_whole, run_arithmetic(Op::pow, a, whole, type, type), roots);
}

template <Op op>
Tensor folded(const Call& call) {
  const bool is_flipped = has_uint32(call);
  Tensor result = flip_order(call[0], is_flipped);
  for (int i = 1; i < call.size(); ++i) {
    const Tensor other = flip_order(call[i], is_flipped);
    result = run(op, {&result, &other});
  }
  return flip_order(result, is_flipped);
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
  const bool is_flipped = has_uint32(call);
  Tensor result = flip_order(x, is_flipped);
  if (low) result = maximum(result, flip_order(low, is_flipped));
  if (high) result = minimum(result, flip_order(high, is_flipped));
  return flip_order(result, is_flipped);
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

Tensor converted_like(const Call& call) { return convert(call, call[1].dtype(), element_type(call, 1)); }

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
    {"Greater", comparison<Op::greater>},
    {"GreaterOrEqual", comparison<Op::greater_equal>},
    {"IsInf", infinite},
    {"IsNaN", Op::is_nan, 1},
    {"Less", comparison<Op::less>},
    {"LessOrEqual", comparison<Op::less_equal>},
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
