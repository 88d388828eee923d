#include "core/memory/transfer_stats.h"
#include "gl/fixture.h"

namespace tenure::gl {

TEST_CASE("A large fill needs no upload", "[gl][create]") {
  const GlFixture gl;
  const float value = GENERATE(0.0F, 1.5F, -7.0F);
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const FillAttrs attrs{{99, 101}, value, 16777217, dtype};
  const std::size_t uploads = total_transfer_stats().uploads;
  expect_gl_equals_cpu(Op::fill, {}, AttrsView(attrs));
  CHECK(total_transfer_stats().uploads == uploads);
}

}  // namespace tenure::gl
