#include <cmath>

#include "ops/cases/case.h"
#include "ops/moves.h"

namespace tenure::cases {

void add_create(Table& table) {
  for (const DType dtype : moves::kDTypes) {
    for (const Shape& shape : {Shape{}, Shape{0, 3}, Shape{5}, Shape{99, 101}}) {
      table.add(Op::fill, {}, FillAttrs{.shape = shape, .value = -7, .int_value = 16777217, .dtype = dtype});
    }
    table.add(Op::eye, {}, EyeAttrs{.rows = 2, .columns = 3, .dtype = dtype});
    for (const Shape& shape : {Shape{}, Shape{3}, Shape{0}, Shape{2, 3}})
      table.add(Op::diag, {of_type(dtype, shape)});
    for (const std::int32_t depth : {2, 3, 4, 8, 10}) {
      table.add(Op::one_hot, {indices({4, 2}, {0, 1, 7, -1, 3, 100, 2, 9})},
                OneHotAttrs{depth, 1.75F, dtype == DType::kBool ? 0.0F : -3e9F, dtype});
    }
  }
  table.add(Op::one_hot, {indices({4}, {0, 1, 7, 3})}, OneHotAttrs{4, NAN, 3e9F, DType::kInt32});
  table.add(Op::range, {}, RangeAttrs{.start = 0.5F, .step = -0.25F, .count = 7});
  table.add(Op::range, {}, RangeAttrs{.start = 5, .step = 2, .count = 4, .dtype = DType::kInt32});
  table.add(Op::range, {},
            RangeAttrs{.step = 0, .int_start = 16777217, .int_step = -3, .count = 4, .dtype = DType::kInt32});
  table.add(Op::linspace, {}, LinspaceAttrs{.start = 1, .stop = 10, .count = 4});
  table.add(Op::cosine_window, {}, CosineWindowAttrs{.length = 7, .a = 0.54F, .b = 0.46F});

  for (const Op op : {Op::random_uniform, Op::random_normal, Op::truncated_normal}) {
    table.add(op, {}, RandomAttrs{.shape = {3, 5}, .a = 1, .b = 2, .seed = 7});
    table.add(op, {}, RandomAttrs{.shape = {0, 5}, .a = 1, .b = 2, .seed = 7});
    table.add(op, {}, RandomAttrs{.shape = {9}, .a = -9, .b = 9, .seed = 7, .dtype = DType::kInt32});
  }
  table.add(Op::random_gamma, {}, RandomAttrs{.shape = {3, 5}, .a = 2, .b = 0.5F, .seed = 7});
  table.add(Op::multinomial, {floats({2, 4})}, MultinomialAttrs{.samples = 6, .seed = 3},
            {.skip_gradients = "draws places, which do not move"});
  table.add(Op::dropout, {floats({2, 3})}, DropoutAttrs{.rate = 0.4F, .noise_shape = {3}, .seed = 7});
  table.add(Op::dropout, {floats({2, 3})}, DropoutAttrs{});
}

}  // namespace tenure::cases
