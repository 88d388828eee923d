#include <map>

#include "gl/fixture.h"
#include "ops/cases/device_checks.h"
#include "ops/cases/gradient_checks.h"

namespace tenure::gl {

TEST_CASE("Ops give on the GPU what they give on the CPU", "[gl][cases]") {
  const GlFixture gl;
  const cases::AllOnDevice device;
  cases::check_device_cases([](const cases::OpCase&) { return true; });
}

// Mesa measures as slow. Without this test, the kernels for GPUs would be tested on GPUs only.
TEST_CASE("Ops give with the kernels for GPUs what they give on the CPU", "[gl][cases][tuning]") {
  const GlFixture gl;
  const cases::AllOnDevice device;
  const TuningGuard hardware(Tuning::hardware());
  // Elementwise programs differ only in their expressions, and Mesa takes a minute to compile all others.
  constexpr int kCases = 2;
  std::map<Op, int> seen;
  cases::check_device_cases([&](const cases::OpCase& c) {
    return op_def(c.op).kind == OpKind::kStructural && c.is_small() && seen[c.op]++ < kCases;
  });
}

TEST_CASE("Gradients of elementwise rows are those of their expressions on the GPU",
          "[gl][cases][gradient]") {
  const GlFixture gl;
  const cases::AllOnDevice device;
  cases::check_elementwise_gradients([](const Tensor& x) { return cases::to_device(x); }, 1e-4);
  cases::check_broadcast_gradients([](const Tensor& x) { return cases::to_device(x); }, 5e-5);
}

TEST_CASE("Gradients on the GPU are those of the CPU, twice over", "[gl][cases][gradient]") {
  const GlFixture gl;
  const cases::AllOnDevice device;
  cases::check_device_gradients();
}

}  // namespace tenure::gl
