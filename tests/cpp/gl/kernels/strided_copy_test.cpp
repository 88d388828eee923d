#include "gl/fixture.h"

namespace tenure::gl {

TEST_CASE("Transpositions that are drawn in tiles are those of the CPU", "[gl][strided_copy]") {
  const GlFixture gl;
  const Shape shape = GENERATE(Shape{640, 1000}, Shape{1028, 516}, Shape{3, 400, 480});
  const auto last = static_cast<std::int32_t>(shape.rank - 1);
  PermutationAttrs attrs;
  for (std::int32_t axis = 0; axis < last - 1; ++axis) attrs.perm.push_back(axis);
  attrs.perm.push_back(last);
  attrs.perm.push_back(last - 1);
  expect_gl_equals_cpu(Op::transpose, {random_values(shape)}, AttrsView(attrs));
}

}  // namespace tenure::gl
