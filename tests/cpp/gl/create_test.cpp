#include <limits>

#include "core/crossings.h"
#include "gl/fixture.h"

namespace tenure::gl {

TEST_CASE("A large fill needs no upload", "[gl][create]") {
  const GlFixture gl;
  const float value = GENERATE(0.0F, 1.5F, -7.0F);
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const FillAttrs attrs{{99, 101}, value, 16777217, dtype};
  const std::size_t uploads = total_crossings().uploads;
  expect_gl_equals_cpu(Op::fill, {}, AttrsView(attrs));
  CHECK(total_crossings().uploads == uploads);
}

TEST_CASE("One-hot rows on the GPU are those of the CPU", "[gl][create]") {
  const GlFixture gl;
  const std::int32_t depth = GENERATE(2, 3, 4, 8, 10);
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const OneHotAttrs attrs{depth, 1.75F, dtype == DType::kBool ? 0.0F : -3e9F, dtype};
  expect_gl_equals_cpu(Op::one_hot, {Tensor::from({0, 1, 7, -1, 3, 100, 2, 9}, {4, 2})}, AttrsView(attrs));
}

TEST_CASE("NaN as an integer is 0 on the GPU", "[gl][create]") {
  const GlFixture gl;
  const OneHotAttrs attrs{4, std::numeric_limits<float>::quiet_NaN(), 3e9F, DType::kInt32};
  expect_gl_equals_cpu(Op::one_hot, {Tensor::from({0, 1, 7, 3}, {4})}, AttrsView(attrs));
}

}  // namespace tenure::gl
