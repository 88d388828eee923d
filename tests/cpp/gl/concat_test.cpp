#include "gl/fixture.h"

namespace tenure::gl {
namespace {

std::vector<Tensor> numbered(const std::vector<Shape>& shapes, DType dtype) {
  std::vector<Tensor> tensors;
  for (const Shape& shape : shapes) tensors.push_back(some_values(shape, dtype));
  return tensors;
}

}  // namespace

TEST_CASE("Concatenations on the GPU are those of the CPU", "[gl][concat]") {
  const GlFixture gl;
  struct Case {
    std::int32_t axis;
    std::vector<Shape> shapes;
  };
  const Case c = GENERATE(values<Case>({
      {0, {{3}}},
      {0, {{3}, {5}}},
      {0, {{4}, {8}, {12}}},
      {1, {{3, 4}, {3, 8}}},
      {1, {{3, 4}, {3, 3}, {3, 1}}},
      {-1, {{2, 3, 4, 8}, {2, 3, 4, 4}, {2, 3, 4, 16}, {2, 3, 4, 4}}},
      {2, {{2, 3, 4, 3}, {2, 3, 1, 3}, {2, 3, 2, 3}}},
      {1, {{5, 0}, {5, 2}, {5, 0}, {5, 7}}},
      {0, {{100, 301}, {50, 301}}},
      {5, {{1, 2, 1, 2, 3, 2}, {1, 2, 1, 2, 3, 4}}},
  }));
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const AxisAttrs attrs{c.axis};
  expect_gl_equals_cpu(Op::concat, numbered(c.shapes, dtype), AttrsView(attrs));
}

TEST_CASE("Any number of tensors is concatenated on the GPU", "[gl][concat]") {
  const GlFixture gl;
  const std::int32_t count = GENERATE(2, 3, 4, 5, 6, 7, 8, 9, 17, 70);
  const std::int32_t width = GENERATE(3, 4);
  const std::vector<Shape> shapes(static_cast<std::size_t>(count), Shape{2, width});
  const AxisAttrs attrs{GENERATE(0, 1)};
  std::vector<Tensor> tensors;
  for (const Shape& shape : shapes) {
    Tensor x(TensorSpec{shape, DType::kInt32});
    for (std::size_t i = 0; i < x.elements(); ++i)
      x.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(tensors.size() * 100 + i);
    tensors.push_back(x);
  }
  expect_gl_equals_cpu(Op::concat, tensors, AttrsView(attrs));
}

}  // namespace tenure::gl
