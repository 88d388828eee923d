#include <limits>

#include "gl/fixture.h"

namespace tenure::gl {

TEST_CASE("Casts on the GPU are those of the CPU", "[gl][cast]") {
  const GlFixture gl;
  const DType from = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const DType to = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const CastAttrs attrs{to};
  expect_gl_equals_cpu(Op::cast, {some_values({7, 9}, from)}, AttrsView(attrs));
  if (from != DType::kFloat32) return;
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const Tensor special = Tensor::from(
      {1.9F, -1.9F, 3e9F, -3e9F, kInf, -kInf, std::numeric_limits<float>::quiet_NaN(), 0.0F, -0.0F, 1e-9F},
      {10});
  expect_gl_equals_cpu(Op::cast, {special}, AttrsView(attrs));
}

}  // namespace tenure::gl
