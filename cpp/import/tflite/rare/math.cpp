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

/// Shifts right, filling with the sign, by 0 to 31 bits: halves and rounds down.
Tensor shifted_right(const Call& call) {
  constexpr std::int32_t kMaxPower = 30;
  const Tensor power = minimum(call[1], Tensor::scalar(kMaxPower));
  const auto halve = [](const Tensor& x, const Tensor& times) {
    return floor_div(x, pow(Tensor::scalar(2), times));
  };
  return halve(halve(call[0], power), sub(call[1], power));
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

constexpr OpRow kRows[] = {
    {42, {"DIV", divided}, kActivationOption},
    {80, {"FAKE_QUANT", with_fake_quantization}, kFakeQuantOptions},
    {106, {"ADD_N", sum_of_all}},
    {160, {"BITWISE_XOR", exclusive_or}},
    {161, {"RIGHT_SHIFT", shifted_right}},
    {163, {"STABLEHLO_ADD", Op::add, 2}},
    {165, {"STABLEHLO_MULTIPLY", Op::mul, 2}},
    {166, {"STABLEHLO_MAXIMUM", Op::maximum, 2}},
    {181, {"STABLEHLO_MINIMUM", Op::minimum, 2}},
};

}  // namespace

std::span<const OpRow> rare_math_rows() { return kRows; }

}  // namespace tenure::tflite
