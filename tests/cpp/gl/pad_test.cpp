#include "gl/fixture.h"

namespace tenure::gl {
namespace {

struct Case {
  Shape shape;
  Dims before;
  Dims after;
};

}  // namespace

TEST_CASE("Pads on the GPU are those of the CPU", "[gl][pad]") {
  const GlFixture gl;
  const Case c = GENERATE(values<Case>({
      {{5}, {0}, {0}},
      {{5}, {2}, {1}},
      {{8}, {4}, {4}},
      {{3, 4}, {1, 0}, {2, 0}},
      {{3, 4}, {0, 1}, {0, 3}},
      {{2, 5, 6, 3}, {0, 1, 2, 0}, {0, 2, 1, 0}},
      {{2, 5, 6, 4}, {0, 1, 2, 0}, {0, 2, 1, 0}},
      {{2, 5, 6, 4}, {0, 1, 2, 4}, {0, 2, 1, 8}},
      {{2, 3, 1, 2, 2, 3}, {1, 0, 2, 1, 0, 1}, {0, 1, 1, 1, 0, 2}},
      {{100, 120, 3}, {3, 5, 0}, {4, 6, 1}},
  }));
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const PadAttrs attrs{c.before, c.after, -2.75F};
  expect_gl_equals_cpu(Op::pad, {some_values(c.shape, dtype)}, AttrsView(attrs));
}

TEST_CASE("Mirrored pads on the GPU are those of the CPU", "[gl][pad]") {
  const GlFixture gl;
  const Case c = GENERATE(values<Case>({
      {{5}, {2}, {4}},
      {{8}, {4}, {4}},
      {{3, 4}, {2, 0}, {1, 0}},
      {{3, 4}, {1, 3}, {2, 0}},
      {{2, 5, 6, 3}, {0, 1, 2, 0}, {0, 2, 1, 0}},
      {{2, 5, 6, 4}, {0, 4, 2, 0}, {0, 2, 5, 0}},
      {{2, 3, 2, 2, 2, 3}, {1, 0, 1, 1, 0, 2}, {0, 2, 1, 1, 0, 2}},
  }));
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const MirrorPadAttrs attrs{c.before, c.after, GENERATE(0, 1)};
  expect_gl_equals_cpu(Op::mirror_pad, {some_values(c.shape, dtype)}, AttrsView(attrs));
}

}  // namespace tenure::gl
