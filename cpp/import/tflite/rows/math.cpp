#include <algorithm>
#include <cmath>

#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

template <Op op>
Tensor activated(const Call& call) {
  return activate(call, run(op, {&call[0], &call[1]}));
}

/// Divides. Integers are rounded toward zero, unlike by div().
Tensor divided(const Call& call) {
  const Tensor& a = call[0];
  const Tensor& b = call[1];
  if (a.dtype() != DType::kInt32) return activate(call, div(a, b));
  const Tensor quotient = floor_div(abs(a), abs(b));
  return activate(call, mul(quotient, mul(sign(a), sign(b))));
}

Tensor sum_of_all(const Call& call) {
  Tensor total = call[0];
  for (int i = 1; i < call.size(); ++i) total = add(total, call[i]);
  return total;
}

Tensor cast_to(const Call& call) {
  const DType dtype = call.attrs().dtype("output type");
  return as_dtype(call[0], dtype);
}

EdgeValues same(const Call& call) { return {call.item(0)}; }

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

constexpr Option kFakeQuantOptions[] = {{"min", 0, Option::kFloat},
                                        {"max", 1, Option::kFloat},
                                        {"num_bits", 2, Option::kInt},
                                        {"narrow_range", 3, Option::kByte}};

constexpr OpRow kRows[] = {
    {0, {"ADD", activated<Op::add>}, kActivationOption},
    {6, {"DEQUANTIZE", same}},
    {8, {"FLOOR", Op::floor, 1}},
    {18, {"MUL", activated<Op::mul>}, kActivationOption},
    {41, {"SUB", activated<Op::sub>}, kActivationOption},
    {42, {"DIV", divided}, kActivationOption},
    {47, {"EXP", Op::exp, 1}},
    {53, {"CAST", cast_to}, {}, Quantized::kStored},
    {55, {"MAXIMUM", Op::maximum, 2}, {}, Quantized::kSame},
    {57, {"MINIMUM", Op::minimum, 2}, {}, Quantized::kSame},
    {58, {"LESS", Op::less, 2}},
    {59, {"NEG", Op::neg, 1}},
    {61, {"GREATER", Op::greater, 2}},
    {62, {"GREATER_EQUAL", Op::greater_equal, 2}},
    {63, {"LESS_EQUAL", Op::less_equal, 2}},
    {66, {"SIN", Op::sin, 1}},
    {71, {"EQUAL", Op::equal, 2}},
    {72, {"NOT_EQUAL", Op::not_equal, 2}},
    {73, {"LOG", Op::log, 1}},
    {75, {"SQRT", Op::sqrt, 1}},
    {76, {"RSQRT", Op::rsqrt, 1}},
    {78, {"POW", Op::pow, 2}},
    {80, {"FAKE_QUANT", with_fake_quantization}, kFakeQuantOptions},
    {84, {"LOGICAL_OR", Op::logical_or, 2}},
    {86, {"LOGICAL_AND", Op::logical_and, 2}},
    {87, {"LOGICAL_NOT", Op::logical_not, 1}},
    {90, {"FLOOR_DIV", Op::floor_div, 2}},
    {92, {"SQUARE", Op::square, 1}},
    {95, {"FLOOR_MOD", Op::mod, 2}},
    {99, {"SQUARED_DIFFERENCE", Op::squared_difference, 2}},
    {101, {"ABS", Op::abs, 1}},
    {104, {"CEIL", Op::ceil, 1}},
    {106, {"ADD_N", sum_of_all}},
    {108, {"COS", Op::cos, 1}},
    {114, {"QUANTIZE", same}},
    {116, {"ROUND", Op::round, 1}},
    {124, {"DENSIFY", same}, {}, Quantized::kSame},
    {156, {"ATAN2", Op::atan2, 2}},
    {158, {"SIGN", Op::sign, 1}},
    {160, {"BITWISE_XOR", exclusive_or}},
};

}  // namespace

std::span<const OpRow> math_rows() { return kRows; }

}  // namespace tenure::tflite
