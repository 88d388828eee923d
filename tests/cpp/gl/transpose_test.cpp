#include "gl/fixture.h"

namespace tenure::gl {

TEST_CASE("Transpositions on the GPU are those of the CPU", "[gl][transpose]") {
  const GlFixture gl;
  struct Case {
    Shape shape;
    Dims perm;
  };
  const Case c = GENERATE(values<Case>({
      {{}, {}},
      {{5}, {}},
      {{3, 5}, {}},
      {{4, 8}, {1, 0}},
      {{12, 7}, {1, 0}},
      {{7, 12}, {1, 0}},
      {{64, 36}, {1, 0}},
      {{2, 3, 5}, {2, 0, 1}},
      {{2, 4, 8}, {0, 2, 1}},
      {{2, 5, 6, 8}, {0, 2, 1, 3}},
      {{2, 4, 4, 3}, {0, 3, 1, 2}},
      {{2, 8, 4, 4}, {0, 2, 3, 1}},
      {{2, 3, 4, 5, 2, 3}, {5, 3, 1, 4, 2, 0}},
      {{2, 1, 2, 3, 1, 2, 2, 2}, {7, 6, 5, 4, 3, 2, 1, 0}},
      {{300, 401}, {1, 0}},
  }));
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const PermutationAttrs attrs{c.perm};
  expect_gl_equals_cpu(Op::transpose, {some_values(c.shape, dtype)}, AttrsView(attrs));
}

TEST_CASE("A texture that is drawn in columns is drawn whole", "[gl][transpose]") {
  const GlFixture gl;
  const PermutationAttrs attrs;
  const Shape shape = GENERATE(values<Shape>({{1024, 600}, {2000, 1024}}));
  expect_gl_equals_cpu(Op::transpose, {some_values(shape)}, AttrsView(attrs));
}

}  // namespace tenure::gl
