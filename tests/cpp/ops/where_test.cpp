#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;
using moves::number_at;

std::size_t broadcast_position(const Shape& shape, const Dims& index) {
  Dims from;
  for (int i = 0; i < shape.size(); ++i) {
    from.push_back(shape[i] == 1 ? 0 : index[index.size() - shape.size() + i]);
  }
  return moves::position_of(shape, from);
}

TEST_CASE("where broadcasts all three", "[where]") {
  struct Case {
    Shape condition;
    Shape a;
    Shape b;
    Shape out;
  };
  const Case cases[] = {{{}, {}, {}, {}},
                        {{5}, {5}, {5}, {5}},
                        {{2, 3}, {2, 3}, {2, 3}, {2, 3}},
                        {{}, {2, 3}, {2, 3}, {2, 3}},
                        {{2, 3}, {}, {}, {2, 3}},
                        {{2, 3}, {2, 3}, {}, {2, 3}},
                        {{3, 1}, {3, 4}, {4}, {3, 4}},
                        {{1, 4}, {3, 1}, {3, 4}, {3, 4}},
                        {{2, 1, 3}, {4, 1}, {2, 4, 3}, {2, 4, 3}},
                        {{3}, {2, 1, 1}, {1, 4, 1}, {2, 4, 3}},
                        {{0, 3}, {3}, {1, 1}, {0, 3}}};
  for (const Case& c : cases) {
    CAPTURE(text(c.condition), text(c.a), text(c.b));
    for (const DType dtype_a : moves::kDTypes) {
      for (const DType dtype_b : moves::kDTypes) {
        const Tensor condition = counted(c.condition, DType::kBool);
        const Tensor a = counted(c.a, dtype_a);
        const Tensor ones = fill({.shape = c.b, .value = 1, .int_value = 1, .dtype = dtype_b});
        const Tensor b = dtype_b == DType::kBool ? ones : add(counted(c.b, dtype_b), ones);
        const Tensor out = where(condition, a, b);
        REQUIRE(out.spec() == TensorSpec{c.out, upcast(dtype_a, dtype_b)});
        moves::for_each_index(c.out, [&](const Dims& index, std::size_t position) {
          const bool first = number_at(condition, broadcast_position(c.condition, index)) != 0;
          CHECK(number_at(out, position) == (first ? number_at(a, broadcast_position(c.a, index))
                                                   : number_at(b, broadcast_position(c.b, index))));
        });
      }
    }
  }
}

TEST_CASE("where refuses conditions that are no bools, and shapes that do not fit", "[where]") {
  const Tensor floats = counted({2});
  const Tensor bools = counted({3}, DType::kBool);
  CHECK(error_of([&] { where(floats, floats, floats); }) ==
        "[where] Argument 'condition' passed to 'where' must be bool tensor, but got float32 tensor");
  CHECK(error_of([&] { where(bools, floats, floats); }) ==
        "[where] Operands could not be broadcast together with shapes [3] and [2].");
}

}  // namespace
}  // namespace tenure
