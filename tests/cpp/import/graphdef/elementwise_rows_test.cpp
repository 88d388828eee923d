#include <utility>

#include "core/run/dispatch.h"
#include "ops/ops.h"
#include "rows.h"

using namespace tenure;
using namespace tenure::test;

namespace {

Tensor apply(Op op, const Tensors& inputs) {
  std::vector<const Tensor*> pointers;
  for (const Tensor& input : inputs) pointers.push_back(&input);
  return run(op, Inputs(std::span<const Tensor* const>(pointers)), AttrsView());
}

}  // namespace

TEST_CASE("Rows of one operand are ours of the same names", "[model][graphdef][rows]") {
  const Tensor any = vector({-2.5F, -1.0F, -0.5F, 0.0F, 0.5F, 1.5F, 2.5F});
  const Tensor unit = vector({-0.9F, -0.5F, 0.0F, 0.25F, 0.9F});
  const Tensor positive = vector({0.1F, 0.5F, 1.0F, 4.0F});
  const Tensor above_one = vector({1.0F, 1.5F, 30.0F});
  const std::pair<const char*, Op> kAny[] = {{"Abs", Op::abs},
                                             {"Asinh", Op::asinh},
                                             {"Atan", Op::atan},
                                             {"Ceil", Op::ceil},
                                             {"Cos", Op::cos},
                                             {"Cosh", Op::cosh},
                                             {"Erf", Op::erf},
                                             {"Exp", Op::exp},
                                             {"Expm1", Op::expm1},
                                             {"Floor", Op::floor},
                                             {"IsFinite", Op::is_finite},
                                             {"IsInf", Op::is_inf},
                                             {"IsNan", Op::is_nan},
                                             {"Neg", Op::neg},
                                             {"Relu", Op::relu},
                                             {"Relu6", Op::relu6},
                                             {"Round", Op::round},
                                             {"Selu", Op::selu},
                                             {"Sigmoid", Op::sigmoid},
                                             {"Sign", Op::sign},
                                             {"Sin", Op::sin},
                                             {"Sinh", Op::sinh},
                                             {"Softplus", Op::softplus},
                                             {"Square", Op::square},
                                             {"Tan", Op::tan},
                                             {"Tanh", Op::tanh}};
  for (const auto& [name, op] : kAny) check_row(name, {any}, {apply(op, {any})});
  for (const auto& [name, op] : {std::pair("Acos", Op::acos), {"Asin", Op::asin}, {"Atanh", Op::atanh}})
    check_row(name, {unit}, {apply(op, {unit})});
  for (const auto& [name, op] : {std::pair("Log", Op::log),
                                 {"Log1p", Op::log1p},
                                 {"Reciprocal", Op::reciprocal},
                                 {"Rsqrt", Op::rsqrt},
                                 {"Sqrt", Op::sqrt}})
    check_row(name, {positive}, {apply(op, {positive})});
  check_row("Acosh", {above_one}, {acosh(above_one)});
  check_row("Elu", {any}, {elu(any, {1})});
  check_row("LeakyRelu", {any}, {leaky_relu(any, {0.2F})});
  check_row("LeakyRelu", {any}, {leaky_relu(any, {0.5F})}, R"("alpha":{"f":0.5})");
  check_row("ClipByValue", {any, Tensor::scalar(-1.0F), Tensor::scalar(2.0F)}, {clip_by_value(any, {-1, 2})});
}

TEST_CASE("Rows of two operands are ours of the same names", "[model][graphdef][rows]") {
  const Tensor a = Tensor::from({-5.5F, 2.0F, 7.0F, 0.5F, -3.0F, 1.0F}, {2, 3});
  const Tensor b = vector({2.0F, -3.0F, 0.5F});
  const std::pair<const char*, Op> kFloats[] = {{"Add", Op::add},
                                                {"AddV2", Op::add},
                                                {"Sub", Op::sub},
                                                {"Mul", Op::mul},
                                                {"Div", Op::div},
                                                {"RealDiv", Op::div},
                                                {"DivNoNan", Op::div_no_nan},
                                                {"FloorDiv", Op::floor_div},
                                                {"Maximum", Op::maximum},
                                                {"Minimum", Op::minimum},
                                                {"Mod", Op::mod},
                                                {"FloorMod", Op::mod},
                                                {"SquaredDifference", Op::squared_difference},
                                                {"Atan2", Op::atan2},
                                                {"Prelu", Op::prelu},
                                                {"Equal", Op::equal},
                                                {"NotEqual", Op::not_equal},
                                                {"Greater", Op::greater},
                                                {"GreaterEqual", Op::greater_equal},
                                                {"Less", Op::less},
                                                {"LessEqual", Op::less_equal}};
  for (const auto& [name, op] : kFloats) check_row(name, {a, b}, {apply(op, {a, b})});
  check_row("Pow", {square(a), b}, {pow(square(a), b)});
  check_row("DivNoNan", {a, Tensor::scalar(0.0F)}, {mul(a, Tensor::scalar(0.0F))});
  check_row("AddN", {a, a, a}, {mul(a, Tensor::scalar(3.0F))});
  check_row("BiasAdd", {a, b}, {add(a, b)});
  check_row("BiasAdd", {random_values({2, 3, 4, 5}), b},
            {add(random_values({2, 3, 4, 5}), reshape(b, {{1, 3, 1, 1}}))},
            R"("data_format":{"s":"TkNIVw=="})");
  const Tensor p = truths({true, true, false, false});
  const Tensor q = truths({true, false, true, false});
  check_row("LogicalAnd", {p, q}, {truths({true, false, false, false})});
  check_row("LogicalOr", {p, q}, {truths({true, true, true, false})});
  check_row("LogicalNot", {p}, {truths({false, false, true, true})});
  check_row("BitwiseAnd", {vector({12, 7}), vector({10, 5})}, {vector({8, 5})});
}

TEST_CASE("Select chooses by element, and the first version by row, too", "[model][graphdef][rows]") {
  const Tensor a = random_values({2, 3});
  const Tensor b = random_values({2, 3}, 2);
  const Tensor by_row = truths({true, false});
  const Tensor by_column = truths({true, false, true});
  check_row("Select", {by_row, a, b}, {where(reshape(by_row, {{2, 1}}), a, b)});
  check_row("SelectV2", {by_column, a, b}, {where(by_column, a, b)});
  check_row("SelectV2", {vector({1, 0, 2}), a, b}, {where(by_column, a, b)});
}

TEST_CASE("Rows of complex numbers", "[model][graphdef][rows]") {
  const Tensor re = random_values({3});
  const Tensor im = random_values({3}, 2);
  const Tensor z = complex(re, im);
  for (const auto& [op, expected] :
       {std::pair<std::string, Tensor>("Real", re), {"Imag", im}, {"ComplexAbs", abs(z)}}) {
    GraphModel model = load_graph(
        {placeholder("re"), placeholder("im"), {"z", "Complex", {"re", "im"}, ""}, {"y", op, {"z"}, ""}});
    CHECK(is_same(run_graph(model, {"re", "im"}, {"y"}, {re, im})[0], expected));
  }
  const Tensor x = random_values({2, 8});
  check_row("RFFT", {x, vector({8})}, {rfft(x)});
  check_row("FFT", {z}, {fft(z)});
  check_row("IFFT", {z}, {ifft(z)});
  check_row("IRFFT", {rfft(x), vector({8})}, {x});
}

TEST_CASE("Rows of constants, shapes and what passes through", "[model][graphdef][rows]") {
  const Tensor x = random_values({2, 3});
  for (const char* op :
       {"Identity", "PlaceholderWithDefault", "Snapshot", "StopGradient", "FakeQuantWithMinMaxVars", "Print"})
    check_row(op, {x}, {x});
  check_row("IdentityN", {x, vector({7})}, {x, vector({7})});
  check_row("NoOp", {}, {Tensor::scalar(1.0F)});
  check_row("Shape", {x}, {vector({2, 3})});
  check_row("ShapeN", {x, vector({7})}, {vector({2, 3}), vector({1})});
  check_row("Rank", {x}, {Tensor::scalar(2)});
  check_row("Size", {x}, {Tensor::scalar(6)});
  check_row("ZerosLike", {x}, {mul(x, Tensor::scalar(0.0F))});
  check_row("OnesLike", {vector({5, 6})}, {vector({1, 1})});
  check_row("Zeros", {vector({3})}, {vector({0, 0, 0})}, R"("T":{"type":"DT_INT32"})");
  check_row("Ones", {vector({2})}, {vector({1.0F, 1.0F})}, R"("T":{"type":"DT_FLOAT"})");
  check_row("Fill", {vector({2, 2}), Tensor::scalar(3)}, {Tensor::from({3, 3, 3, 3}, {2, 2})});
  check_row("LinSpace", {Tensor::scalar(0.0F), Tensor::scalar(1.0F), Tensor::scalar(3)},
            {vector({0.0F, 0.5F, 1.0F})});
  check_row("Range", {Tensor::scalar(5), Tensor::scalar(0), Tensor::scalar(-2)}, {vector({5, 3, 1})});
  check_row("Range", {Tensor::scalar(5), Tensor::scalar(0), Tensor::scalar(2)},
            {vector(std::initializer_list<std::int32_t>())});
  check_row("OneHot", {vector({1, 0}), Tensor::scalar(3), Tensor::scalar(2.0F), Tensor::scalar(-1.0F)},
            {Tensor::from({-1.0F, 2.0F, -1.0F, 2.0F, -1.0F, -1.0F}, {2, 3})}, R"("T":{"type":"DT_FLOAT"})");
  check_row("OneHot", {vector({1, 0}), Tensor::scalar(3), Tensor::scalar(1.0F), Tensor::scalar(0.0F)},
            {Tensor::from({0.0F, 1.0F, 1.0F, 0.0F, 0.0F, 0.0F}, {3, 2})},
            R"("T":{"type":"DT_FLOAT"},"axis":{"i":"0"})");
}

TEST_CASE("Rows that draw give new numbers in every run, within their bounds", "[model][graphdef][rows]") {
  struct Draw {
    const char* op;
    std::string attrs;
    Tensors inputs;
    float least;
    float most;
  };
  const Tensor shape = vector({40, 50});
  const Draw kDraws[] = {
      {"RandomUniform", R"("minval":{"f":2},"maxval":{"f":3})", {shape}, 2, 3},
      {"RandomUniformInt", R"("minval":{"i":"-4"},"maxval":{"i":"5"})", {shape}, -4, 4},
      {"RandomUniformInt", "", {shape, Tensor::scalar(-4), Tensor::scalar(5)}, -4, 4},
      {"RandomStandardNormal", "", {shape}, -8, 8},
      {"TruncatedNormal", "", {shape}, -2, 2},
      {"Multinomial", "", {random_values({3, 4}), Tensor::scalar(500)}, 0, 3},
  };
  for (const Draw& draw : kDraws) {
    INFO(draw.op);
    const Tensor got = run_row(draw.op, draw.inputs, draw.attrs, 1, false).at(0);
    const Tensor numbers = cast(got, {DType::kFloat32});
    const Tensor flat = reshape(numbers, {{static_cast<std::int32_t>(numbers.elements())}});
    CHECK(min(flat, {}).data<float>()[0] >= draw.least);
    CHECK(max(flat, {}).data<float>()[0] <= draw.most);
    CHECK(max(flat, {}).data<float>()[0] > min(flat, {}).data<float>()[0]);
    CHECK(!is_same(run_row(draw.op, draw.inputs, draw.attrs, 1, true).at(0), got));
  }
  const std::string seeded = R"("seed":{"i":"7"},"seed2":{"i":"-9223372036854775808"})";
  CHECK(is_same(run_row("RandomUniform", {shape}, seeded, 1, false)[0],
                run_row("RandomUniform", {shape}, seeded, 1, true)[0]));
}
