#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {

TEST_CASE("Gathers on the GPU are those of the CPU", "[gl][gather]") {
  const GlFixture gl;
  struct Case {
    Shape shape;
    Shape indices;
    GatherAttrs attrs;
  };
  const Case c = GENERATE(values<Case>({
      {{9}, {5}, {0, 0}},
      {{9, 4}, {3}, {0, 0}},
      {{9, 3}, {2, 3}, {0, 0}},
      {{3, 9, 8}, {2, 2}, {1, 0}},
      {{3, 4, 9}, {7}, {2, 0}},
      {{3, 4, 9}, {3, 5}, {2, 1}},
      {{3, 2, 9, 4}, {3, 2, 5}, {2, 2}},
      {{3, 2, 9, 4}, {3, 5}, {2, -1}},
      {{9, 1000}, {30}, {0, 0}},
      {{2, 9, 2, 3}, {1, 2, 2}, {1, 0}},
  }));
  Tensor indices({c.indices, DType::kInt32});
  for (std::size_t i = 0; i < indices.elements(); ++i)
    indices.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(i * 5 % 9);
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  expect_gl_equals_cpu(Op::gather, {some_values(c.shape, dtype), indices}, AttrsView(c.attrs));
}

TEST_CASE("An index out of range throws where the CPU knows it, else gives 0", "[gl][gather]") {
  const GlFixture gl;
  const Tensor x = on_device(Tensor::from({1.0F, 2.0F, 3.0F}, {3}));
  const Tensor indices = Tensor::from({2, 3, -1, 0}, {4});
  CHECK_THROWS_WITH(gather(x, indices, {}), "[gather] GatherV2: the index value 3 is not in [0, 2]");
  const Tensor there = on_device(indices);
  const Tensor got = gather(x, there, {});
  CHECK(std::vector<float>(got.data<float>(), got.data<float>() + 4) == std::vector<float>{3, 0, 0, 1});
}

}  // namespace tenure::gl
