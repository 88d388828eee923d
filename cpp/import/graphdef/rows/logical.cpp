#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

Tensor to_bool(const Tensor& x) { return x.dtype() == DType::kBool ? x : cast(x, {DType::kBool}); }

/// Selects elements by a condition. Version 1 of the op also accepts a vector with one condition for each
/// row.
Tensor select(const Call& call) {
  Tensor condition = to_bool(call[0]);
  if (call.node().op == "Select" && condition.rank() == 1 && call[1].rank() > 1) {
    Shape shape = condition.shape();
    while (shape.rank < call[1].rank()) shape.push_back(1);
    condition = reshape(condition, {shape});
  }
  return where(condition, call[1], call[2]);
}

constexpr Row kRows[] = {
    {"Equal", Op::equal, 2},
    {"NotEqual", Op::not_equal, 2},
    {"Greater", Op::greater, 2},
    {"GreaterEqual", Op::greater_equal, 2},
    {"Less", Op::less, 2},
    {"LessEqual", Op::less_equal, 2},
    {"LogicalAnd", Op::logical_and, 2},
    {"LogicalNot", Op::logical_not, 1},
    {"LogicalOr", Op::logical_or, 2},
    {"BitwiseAnd", Op::bitwise_and, 2},
    {"Select", select},
    {"SelectV2", select},
};

}  // namespace

std::span<const Row> logical_rows() { return kRows; }

}  // namespace tenure::graphdef
