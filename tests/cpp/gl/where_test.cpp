#include "gl/fixture.h"

namespace tenure::gl {

TEST_CASE("Selections on the GPU are those of the CPU", "[gl][where]") {
  const GlFixture gl;
  struct Case {
    Shape condition;
    Shape a;
    Shape b;
  };
  const Case c = GENERATE(values<Case>({
      {{7}, {7}, {7}},
      {{}, {}, {}},
      {{9}, {}, {9}},
      {{8}, {8}, {}},
      {{}, {8}, {8}},
      {{3, 4}, {3, 1}, {4}},
      {{3, 1}, {5}, {3, 5}},
      {{3, 1}, {8}, {3, 8}},
      {{2, 1, 4}, {3, 1}, {2, 3, 4}},
      {{2, 1, 2, 1, 2, 3}, {1, 3, 1, 2, 1, 1}, {3}},
      {{200, 301}, {200, 301}, {301}},
  }));
  const DType of_a = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const DType of_b = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  expect_gl_equals_cpu(
      Op::where, {some_values(c.condition, DType::kBool), some_values(c.a, of_a), some_values(c.b, of_b)});
}

}  // namespace tenure::gl
