#include "gl/fixture.h"

namespace tenure::gl {

TEST_CASE("Tiles on the GPU are those of the CPU", "[gl][tile]") {
  const GlFixture gl;
  struct Case {
    Shape shape;
    Dims reps;
  };
  const Case c = GENERATE(values<Case>({
      {{5}, {1}},
      {{5}, {3}},
      {{8}, {3}},
      {{3, 4}, {2, 1}},
      {{3, 4}, {2, 3}},
      {{3, 5}, {1, 2}},
      {{1, 7}, {6, 1}},
      {{7, 1}, {1, 8}},
      {{2, 3, 4}, {2, 2, 2}},
      {{2, 3, 2, 3, 2, 3}, {2, 2, 2, 2, 2, 2}},
      {{2, 3, 2, 3, 2, 3}, {3, 1, 2, 1, 2, 2}},
      {{100, 30}, {3, 11}},
      {{13, 37}, {2, 3}},
  }));
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const TileAttrs attrs{c.reps};
  expect_gl_equals_cpu(Op::tile, {some_values(c.shape, dtype)}, AttrsView(attrs));
}

}  // namespace tenure::gl
