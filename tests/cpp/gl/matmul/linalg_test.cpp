#include "core/run/dispatch.h"
#include "gl/fixture.h"

namespace tenure::gl {
namespace {

// Kernels sum products in different orders.
constexpr double kTolerance = 1e-4;

Shape matrix(int rows, int columns, bool transpose) {
  return transpose ? Shape{columns, rows} : Shape{rows, columns};
}

}  // namespace

TEST_CASE("Matrices on the CPU are multiplied on the GPU", "[gl][mat_mul]") {
  const GlFixture gl;
  const int depth = GENERATE(30, 32, 33);
  const bool transpose_a = GENERATE(false, true);
  const MatMulAttrs attrs = {.transpose_a = transpose_a};
  const Tensor x = random_values(matrix(41, depth, transpose_a));
  const Tensor filter = on_device(random_values({depth, 50}));
  const Tensor got = run(Op::mat_mul, {&x, &filter}, AttrsView(attrs));
  CHECK(got.storage()->only_on_device());
  expect_equal(got, reference(Op::mat_mul, {x, on_cpu(filter)}, AttrsView(attrs)), kTolerance);
}

}  // namespace tenure::gl
