#include "gl/fixture.h"

namespace tenure::gl {

TEST_CASE("Reversals on the GPU are those of the CPU", "[gl][reverse]") {
  const GlFixture gl;
  struct Case {
    Shape shape;
    Dims axes;
  };
  const Case c = GENERATE(values<Case>({
      {{}, {}},
      {{5}, {}},
      {{8}, {0}},
      {{3, 4}, {0}},
      {{3, 4}, {1}},
      {{3, 5}, {}},
      {{2, 5, 6, 4}, {1, -2}},
      {{2, 5, 6, 3}, {2, 3}},
      {{2, 3, 2, 3, 2, 3}, {0, 2, 5}},
  }));
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const AxesAttrs attrs{c.axes};
  expect_gl_equals_cpu(Op::reverse, {some_values(c.shape, dtype)}, AttrsView(attrs));
}

}  // namespace tenure::gl
