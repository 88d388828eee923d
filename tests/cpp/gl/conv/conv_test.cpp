#include "core/run/dispatch.h"
#include "gl/fixture.h"

namespace tenure::gl {
namespace {

// Kernels sum products in different orders.
constexpr double kTolerance = 1e-4;

}  // namespace

TEST_CASE("Images on the CPU are convolved on the GPU", "[gl][conv2d]") {
  const GlFixture gl;
  const auto [channels, window] = GENERATE(table<int, int>({{1, 3}, {3, 3}, {5, 3}, {9, 1}, {3, 7}}));
  const int stride = GENERATE(1, 3);
  const ConvAttrs attrs = {.stride_h = stride, .stride_w = stride, .padding = Padding::kSame};
  const Tensor x = random_values({2, 13, 12, channels});
  const Tensor filter = on_device(random_values({window, window, channels, 36}));
  const Tensor got = run(Op::conv2d, {&x, &filter}, AttrsView(attrs));
  CHECK(got.storage()->only_on_device());
  expect_equal(got, reference(Op::conv2d, {x, on_cpu(filter)}, AttrsView(attrs)), kTolerance);
}

}  // namespace tenure::gl
