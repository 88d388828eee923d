#include "gl/fixture.h"

namespace tenure::gl {

TEST_CASE("Slices on the GPU are those of the CPU", "[gl][slice]") {
  const GlFixture gl;
  struct Case {
    Shape shape;
    Dims begin;
    Dims size;
  };
  const Case c = GENERATE(values<Case>({
      {{10}, {3}, {5}},
      {{16}, {4}, {8}},
      {{16}, {5}, {8}},
      {{16}, {6}, {8}},
      {{16}, {7}, {8}},
      {{4, 16}, {1, 8}, {2, 8}},
      {{4, 16}, {1, 3}, {2, 12}},
      {{4, 15}, {1, 3}, {3, 12}},
      {{4, 15}, {0, 1}, {4, 7}},
      {{2, 5, 6, 8}, {0, 1, 2, 4}, {2, 3, 3, 4}},
      {{2, 5, 6, 3}, {1, 1, 2, 0}, {1, 3, 3, 3}},
      {{300, 401}, {17, 29}, {250, 300}},
      {{33}, {3}, {27}},
      {{30, 41}, {7, 3}, {11, 19}},
      {{3, 20, 37}, {1, 2, 4}, {2, 17, 33}},
      {{2, 3, 2, 3, 2, 3}, {0, 1, 0, 1, 0, 1}, {2, 2, 1, 2, 2, 2}},
  }));
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const SliceAttrs attrs{c.begin, c.size};
  expect_gl_equals_cpu(Op::slice, {some_values(c.shape, dtype)}, AttrsView(attrs));
}

TEST_CASE("Strided slices on the GPU are those of the CPU", "[gl][slice]") {
  const GlFixture gl;
  struct Case {
    Shape shape;
    Dims begin;
    Dims end;
    Dims strides;
  };
  const Case c = GENERATE(values<Case>({
      {{20}, {1}, {20}, {3}},
      {{20}, {19}, {1}, {-2}},
      {{9, 10}, {1, 8}, {9, 0}, {3, -1}},
      {{9, 16}, {0, 0}, {9, 16}, {2, 1}},
      {{4, 64}, {0, 0}, {4, 64}, {1, 4}},
      {{4, 64}, {3, 2}, {0, 64}, {-1, 8}},
      {{3, 8, 8, 5}, {0, 1, 0, 4}, {3, 8, 8, 0}, {1, 2, 3, -1}},
  }));
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const StridedSliceAttrs attrs{.begin = c.begin, .end = c.end, .strides = c.strides};
  expect_gl_equals_cpu(Op::strided_slice, {some_values(c.shape, dtype)}, AttrsView(attrs));
}

TEST_CASE("A strided slice on the GPU drops and adds dimensions", "[gl][slice]") {
  const GlFixture gl;
  const StridedSliceAttrs attrs{
      .begin = {1, 0, 0}, .end = {2, 0, 5}, .strides = {1, 1, 2}, .new_axis_mask = 2, .shrink_axis_mask = 1};
  expect_gl_equals_cpu(Op::strided_slice, {some_values({3, 6, 4})}, AttrsView(attrs));
}

}  // namespace tenure::gl
