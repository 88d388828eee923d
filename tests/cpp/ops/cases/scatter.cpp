#include "ops/cases/case.h"
#include "ops/moves.h"

namespace tenure::cases {

void add_scatter(Table& table) {
  for (const DType dtype : {DType::kFloat32, DType::kInt32, DType::kBool, DType::kComplex64}) {
    const auto of = [&](const Shape& shape) { return of_type(dtype, shape); };
    table.add(Op::gather_nd, {of({2, 3, 2}), indices({3, 2}, {1, 0, 1, 2, 1, 0})});
    table.add(Op::gather_nd, {of({3, 2, 2}), indices({3, 1, 2}, {2, 1, 0, 0, 2, 0})});
    table.add(Op::gather_nd, {of({2, 3}), indices({1}, {1})});
    table.add(Op::gather_nd, {of({2}), indices({4, 0}, {0})});
    table.add(Op::scatter_nd, {indices({3, 1}, {3, 1, 3}), of({3, 2})}, ToShapeAttrs{{4, 2}});
    table.add(Op::scatter_nd, {indices({3}, {3, 1, 3}), of({3})}, ToShapeAttrs{{4}});
    table.add(Op::tensor_scatter_update, {of({4, 2}), indices({2, 1}, {3, 1}), of({2, 2})});
    table.add(Op::sparse_to_dense, {indices({2}, {3, 1}), of({2}), of({})}, ToShapeAttrs{{5}});
    table.add(Op::sparse_to_dense, {indices({2, 2}, {1, 1, 0, 2}), of({}), of({})}, ToShapeAttrs{{2, 3}});
  }
  table.add(Op::bitwise_and, {ints({2, 3}), given({2, 3}, {7, -8, 2147483647, 1, 0, 5}, DType::kInt32)});
  table.add(Op::bitwise_and, {given({2, 1}, {6, -1}, DType::kInt32), given({2, 1}, {3, 12}, DType::kInt32)});
  using enum IntegerArithmetic;
  for (const auto op : {kAdd, kSubtract, kMultiply, kDivide, kPower}) {
    const CheckedArithmeticAttrs attrs = {.op = op};
    table.add(Op::checked_arithmetic, {ints({2, 3}), ints({2, 3})}, attrs);
    table.add(Op::checked_arithmetic, {ints({2, 3}), ints({1})}, attrs);
    table.add(Op::checked_arithmetic, {ints({}), ints({2, 3})}, attrs);
  }
  for (const auto op : {kSum, kProduct, kCumulativeSum, kCumulativeProduct}) {
    const CheckedArithmeticAttrs attrs = {.op = op};
    table.add(Op::checked_arithmetic, {ints({5})}, attrs);
    table.add(Op::checked_arithmetic, {ints({2, 3, 4})}, attrs);
  }
  table.add(Op::checked_arithmetic, {ints({2, 3, 4}), ints({2, 5, 4})},
            CheckedArithmeticAttrs{.op = kDotProducts});
  table.add(Op::checked_arithmetic, {floats({2, 3})}, CheckedArithmeticAttrs{.op = kTruncate});
}

}  // namespace tenure::cases
