#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

Tensor clip(const Call& call) {
  if (call[1].has_data() && call[2].has_data())
    return clip_by_value(call[0], {call.number(1), call.number(2)});
  return minimum(maximum(call[0], call[1]), call[2]);
}

Tensor leaky(const Call& call) {
  return leaky_relu(call[0], {static_cast<float>(call.attrs().number("alpha", 0.2))});
}

Tensor exponential_unit(const Call& call) { return elu(call[0], {1}); }

constexpr Row kRows[] = {
    {"Abs", Op::abs, 1},         {"Acos", Op::acos, 1},
    {"Acosh", Op::acosh, 1},     {"Asin", Op::asin, 1},
    {"Asinh", Op::asinh, 1},     {"Atan", Op::atan, 1},
    {"Atan2", Op::atan2, 2},     {"Atanh", Op::atanh, 1},
    {"Ceil", Op::ceil, 1},       {"ClipByValue", clip},
    {"Complex", Op::complex, 2}, {"ComplexAbs", Op::complex_abs, 1},
    {"Imag", Op::imag, 1},       {"Real", Op::real, 1},
    {"Cos", Op::cos, 1},         {"Cosh", Op::cosh, 1},
    {"Elu", exponential_unit},   {"Erf", Op::erf, 1},
    {"Exp", Op::exp, 1},         {"Expm1", Op::expm1, 1},
    {"Floor", Op::floor, 1},     {"IsFinite", Op::is_finite, 1},
    {"IsInf", Op::is_inf, 1},    {"IsNan", Op::is_nan, 1},
    {"LeakyRelu", leaky},        {"Log", Op::log, 1},
    {"Log1p", Op::log1p, 1},     {"Neg", Op::neg, 1},
    {"Prelu", Op::prelu, 2},     {"Reciprocal", Op::reciprocal, 1},
    {"Relu", Op::relu, 1},       {"Relu6", Op::relu6, 1},
    {"Round", Op::round, 1},     {"Rsqrt", Op::rsqrt, 1},
    {"Selu", Op::selu, 1},       {"Sigmoid", Op::sigmoid, 1},
    {"Sign", Op::sign, 1},       {"Sin", Op::sin, 1},
    {"Sinh", Op::sinh, 1},       {"Softplus", Op::softplus, 1},
    {"Sqrt", Op::sqrt, 1},       {"Square", Op::square, 1},
    {"Tan", Op::tan, 1},         {"Tanh", Op::tanh, 1},
};

}  // namespace

std::span<const Row> basic_math_rows() { return kRows; }

}  // namespace tenure::graphdef
