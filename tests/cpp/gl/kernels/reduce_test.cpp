#include <limits>

#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("What is reduced away from nothing is the first value", "[gl][reduce]") {
  const GlFixture gl;
  const Tensor x({{0, 5000}, DType::kFloat32});
  CHECK(sum(x, {{0}, 0}).data<float>()[4999] == 0);
  CHECK(max(x, {{0}, 0}).data<float>()[4999] == -kInf);
}

}  // namespace tenure::gl
