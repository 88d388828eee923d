#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

Tensor sum_of_all(const Call& call) { return add_n(call.tensors()); }

/// Adds a bias along the channels, which are axis 1 in NCHW.
Tensor bias_add(const Call& call) {
  const Tensor& x = call[0];
  const Tensor& bias = call[1];
  if (call.attrs().string("data_format") != "NCHW" || x.rank() < 3) return add(x, bias);
  Shape shape;
  for (int i = 0; i + 1 < x.rank(); ++i)
    shape.push_back(i == 0 ? static_cast<std::int32_t>(bias.elements()) : 1);
  return add(x, reshape(bias, {shape}));
}

constexpr Row kRows[] = {
    {"Add", Op::add, 2},
    {"AddV2", Op::add, 2},
    {"AddN", sum_of_all},
    {"BiasAdd", bias_add},
    {"Sub", Op::sub, 2},
    {"Mul", Op::mul, 2},
    {"Div", Op::div, 2},
    {"RealDiv", Op::div, 2},
    {"DivNoNan", Op::div_no_nan, 2},
    {"FloorDiv", Op::floor_div, 2},
    {"Maximum", Op::maximum, 2},
    {"Minimum", Op::minimum, 2},
    {"Mod", Op::mod, 2},
    {"FloorMod", Op::mod, 2},
    {"Pow", Op::pow, 2},
    {"SquaredDifference", Op::squared_difference, 2},
};

}  // namespace

std::span<const Row> arithmetic_rows() { return kRows; }

}  // namespace tenure::graphdef
