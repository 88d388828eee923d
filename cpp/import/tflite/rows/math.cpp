#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

template <Op op>
Tensor activated(const Call& call) {
  return activate(call, run(op, {&call[0], &call[1]}));
}

Tensor cast_to(const Call& call) {
  const DType dtype = call.attrs().dtype("output type");
  return as_dtype(call[0], dtype);
}

EdgeValues same(const Call& call) { return {call.item(0)}; }

constexpr OpRow kRows[] = {
    {0, {"ADD", activated<Op::add>}, kActivationOption},
    {kDequantize, {"DEQUANTIZE", same}},
    {8, {"FLOOR", Op::floor, 1}},
    {18, {"MUL", activated<Op::mul>}, kActivationOption},
    {41, {"SUB", activated<Op::sub>}, kActivationOption},
    {47, {"EXP", Op::exp, 1}},
    {53, {"CAST", cast_to}, {}, Quantized::kStored},
    {55, {"MAXIMUM", Op::maximum, 2}, {}, Quantized::kSame},
    {57, {"MINIMUM", Op::minimum, 2}, {}, Quantized::kSame},
    {59, {"NEG", Op::neg, 1}},
    {66, {"SIN", Op::sin, 1}},
    {75, {"SQRT", Op::sqrt, 1}},
    {76, {"RSQRT", Op::rsqrt, 1}},
    {78, {"POW", Op::pow, 2}},
    {84, {"LOGICAL_OR", Op::logical_or, 2}},
    {86, {"LOGICAL_AND", Op::logical_and, 2}},
    {87, {"LOGICAL_NOT", Op::logical_not, 1}},
    {90, {"FLOOR_DIV", Op::floor_div, 2}},
    {92, {"SQUARE", Op::square, 1}},
    {95, {"FLOOR_MOD", Op::mod, 2}},
    {99, {"SQUARED_DIFFERENCE", Op::squared_difference, 2}},
    {101, {"ABS", Op::abs, 1}},
    {104, {"CEIL", Op::ceil, 1}},
    {108, {"COS", Op::cos, 1}},
    {kQuantize, {"QUANTIZE", same}},
    {116, {"ROUND", Op::round, 1}},
    {kDensify, {"DENSIFY", same}, {}, Quantized::kSame},
    {156, {"ATAN2", Op::atan2, 2}},
    {158, {"SIGN", Op::sign, 1}},
};

}  // namespace

std::span<const OpRow> math_rows() { return kRows; }

}  // namespace tenure::tflite
