#include <algorithm>
#include <cmath>

#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

Tensor sum_of_all(const Call& call) {
  Tensor total = call[0];
  for (int i = 1; i < call.size(); ++i) total = add(total, call[i]);
  return total;
}

/// Rounds to the values that an integer of some bits can have between two bounds.
Tensor with_fake_quantization(const Call& call) {
  const double low = call.attrs().number("min", 0);
  const double high = call.attrs().number("max", 0);
  const std::int32_t bits = call.attrs().integer("num_bits", 8);
  check(bits >= 2 && bits <= 16 && low <= 0 && high >= 0 && low < high, "its bounds are ", low, " and ", high,
        " in ", bits, " bits");
  const double first = call.attrs().integer("narrow_range", 0) != 0 ? 1 : 0;
  const double last = static_cast<double>((1 << bits) - 1);
  const double scale = (high - low) / (last - first);
  const double zero = std::clamp(std::floor(first - low / scale + 0.5), first, last);
  const auto from = static_cast<float>((first - zero) * scale);
  const auto to = static_cast<float>((last - zero) * scale);
  const Tensor steps = Tensor::scalar(static_cast<float>(scale));
  const Tensor clamped = sub(clip_by_value(call[0], {.min = from, .max = to}), Tensor::scalar(from));
  return add(mul(floor(add(div(clamped, steps), Tensor::scalar(0.5F))), steps), Tensor::scalar(from));
}

/// x ^ y = x + y - 2 (x & y), which wraps around as it should.
Tensor exclusive_or(const Call& call) {
  if (call[0].dtype() == DType::kBool) return logical_xor(call[0], call[1]);
  const Tensor both = bitwise_and(call[0], call[1]);
  return sub(sub(add(call[0], call[1]), both), both);
}

/// Applies `op`, a multiplication or a division, with a power of 2, up to 2^31.
Tensor scale_by_power(Op op, const Tensor& x, const Tensor& power) {
  constexpr std::int32_t kMaxPower = 30;
  const Tensor most = minimum(power, Tensor::scalar(kMaxPower));
  const auto scale = [&](const Tensor& to, const Tensor& by) {
    const Tensor factor = pow(Tensor::scalar(2), by);
    return run(op, {&to, &factor});
  };
  return scale(scale(x, most), sub(power, most));
}

/// Shifts right, filling with the sign, by 0 to 31 bits: halves and rounds down.
Tensor shifted_right(const Call& call) { return scale_by_power(Op::floor_div, call[0], call[1]); }

/// Shifts left by 0 to 31 bits, and drops the bits that the output's type has not.
Tensor shifted_left(const Call& call) {
  Tensor result = scale_by_power(Op::mul, call[0], call[1]);
  const auto type = static_cast<ElementType>(call.attrs().integer("output type", 0));
  const std::int32_t bits = type == ElementType::kInt8 ? 8 : type == ElementType::kInt16 ? 16 : 32;
  if (bits == 32) return result;
  const Tensor rest = Tensor::scalar(32 - bits);
  return scale_by_power(Op::floor_div, scale_by_power(Op::mul, result, rest), rest);
}

Tensor select(const Call& call) { return where(call[0], call[1], call[2]); }
Tensor clamp(const Call& call) { return minimum(maximum(call[1], call[0]), call[2]); }

/// x | y = x + y - (x & y).
Tensor bitwise_or(const Tensor& x, const Tensor& y) { return sub(add(x, y), bitwise_and(x, y)); }

/// Applies `bool_op` to truth values, and `integer_op` to integers.
template <Tensor (*bool_op)(const Tensor&, const Tensor&), Tensor (*integer_op)(const Tensor&, const Tensor&)>
Tensor logical(const Call& call) {
  return call[0].dtype() == DType::kBool ? bool_op(call[0], call[1]) : integer_op(call[0], call[1]);
}

constexpr Option kFakeQuantOptions[] = {{"min", 0, Option::kFloat},
                                        {"max", 1, Option::kFloat},
                                        {"num_bits", 2, Option::kInt},
                                        {"narrow_range", 3, Option::kByte}};

/// Divides. Integers are rounded toward zero, unlike by div().
Tensor divided(const Call& call) {
  const Tensor& a = call[0];
  const Tensor& b = call[1];
  if (a.dtype() != DType::kInt32) return activate(call, div(a, b));
  const Tensor quotient = floor_div(abs(a), abs(b));
  return activate(call, mul(quotient, mul(sign(a), sign(b))));
}

/// True if input 0 has real numbers that the file stores in 8 bits.
bool has_real_bytes(const Call& call) {
  const auto type = static_cast<ElementType>(call.attrs().integer("input type", 0));
  return call[0].dtype() == DType::kFloat32 && (type == ElementType::kInt8 || type == ElementType::kUint8);
}

/// Returns logarithms. Those of quantized numbers below 0, which have none, are lowest, as in LiteRT.
Tensor logarithm(const Call& call) {
  const auto type = static_cast<ElementType>(call.attrs().integer("input type", 0));
  constexpr float kLeast = 1e-38F;
  return log(get_range(type).second > 0 ? maximum(call[0], Tensor::scalar(kLeast)) : call[0]);
}

/// Compares numbers. LiteRT compares quantized ones of 8 bits in steps of 1 / 256.
template <Op op>
Tensor compared(const Call& call) {
  if (!has_real_bytes(call)) return run(op, {&call[0], &call[1]});
  const Tensor steps = Tensor::scalar(256.0F);
  const Tensor a = round(mul(call[0], steps));
  const Tensor b = round(mul(call[1], steps));
  return run(op, {&a, &b});
}

constexpr OpRow kRows[] = {
    {58, {"LESS", compared<Op::less>}},
    {61, {"GREATER", compared<Op::greater>}},
    {62, {"GREATER_EQUAL", compared<Op::greater_equal>}},
    {63, {"LESS_EQUAL", compared<Op::less_equal>}},
    {71, {"EQUAL", compared<Op::equal>}},
    {72, {"NOT_EQUAL", compared<Op::not_equal>}},
    {73, {"LOG", logarithm}},
    {42, {"DIV", divided}, kActivationOption},
    {80, {"FAKE_QUANT", with_fake_quantization}, kFakeQuantOptions},
    {106, {"ADD_N", sum_of_all}},
    {160, {"BITWISE_XOR", exclusive_or}},
    {161, {"RIGHT_SHIFT", shifted_right}},
    {162, {"STABLEHLO_LOGISTIC", Op::sigmoid, 1}},
    {163, {"STABLEHLO_ADD", Op::add, 2}},
    {164, {"STABLEHLO_DIVIDE", divided}},
    {165, {"STABLEHLO_MULTIPLY", Op::mul, 2}},
    {166, {"STABLEHLO_MAXIMUM", Op::maximum, 2}},
    {168, {"STABLEHLO_CLAMP", clamp}},
    {175, {"STABLEHLO_ABS", Op::abs, 1}},
    {176, {"STABLEHLO_AND", logical<logical_and, bitwise_and>}},
    {177, {"STABLEHLO_COSINE", Op::cos, 1}},
    {178, {"STABLEHLO_EXPONENTIAL", Op::exp, 1}},
    {179, {"STABLEHLO_FLOOR", Op::floor, 1}},
    {180, {"STABLEHLO_LOG", Op::log, 1}},
    {181, {"STABLEHLO_MINIMUM", Op::minimum, 2}},
    {182, {"STABLEHLO_NEGATE", Op::neg, 1}},
    {183, {"STABLEHLO_OR", logical<logical_or, bitwise_or>}},
    {184, {"STABLEHLO_POWER", Op::pow, 2}},
    {186, {"STABLEHLO_RSQRT", Op::rsqrt, 1}},
    {187, {"STABLEHLO_SELECT", select}},
    {188, {"STABLEHLO_SUBTRACT", Op::sub, 2}},
    {189, {"STABLEHLO_TANH", Op::tanh, 1}},
    {207, {"STABLEHLO_SHIFT_LEFT", shifted_left}, {}, Quantized::kStored},
};

}  // namespace

std::span<const OpRow> rare_math_rows() { return kRows; }

}  // namespace tenure::tflite
