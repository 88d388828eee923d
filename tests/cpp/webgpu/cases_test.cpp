#include <set>
#include <utility>

#include "core/run/op_traits.h"
#include "ops/cases/device_checks.h"
#include "ops/cases/gradient_checks.h"
#include "webgpu/fixture.h"

namespace tenure::webgpu {

namespace {

bool is_structural(const cases::OpCase& c) { return op_def(c.op).kind == OpKind::kStructural; }
bool has_activation(const cases::OpCase& c) { return is_structural(c) && op_traits(c.op).has_activation(); }

/// Selects cases such that each activation that an op applies to its result occurs once, and the ReLU and
/// those with a parameter with each kernel: each combination of a kernel and an activation is a pipeline of
/// its own, which takes a software renderer a fifth of a second to compile.
class ActivationFilter {
 public:
  bool operator()(const cases::OpCase& c) {
    const OpTraits& traits = op_traits(c.op);
    const auto activation =
        static_cast<Activation>(c.words[static_cast<std::size_t>(traits.activation_word)]);
    return activation == Activation::kLinear || activation == Activation::kRelu ||
           activation_def(activation).has_alpha || seen_.emplace(c.op, activation).second;
  }

 private:
  std::set<std::pair<Op, Activation>> seen_;
};

}  // namespace

TEST_CASE("Ops that apply an activation give on WebGPU what they give on the CPU",
          "[webgpu][cases][activation]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  ActivationFilter filter;
  cases::check_device_cases([&](const cases::OpCase& c) { return has_activation(c) && filter(c); });
}

TEST_CASE("Structural ops give on WebGPU what they give on the CPU", "[webgpu][cases]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  cases::check_device_cases([](const cases::OpCase& c) { return is_structural(c) && !has_activation(c); });
}

TEST_CASE("Elementwise ops give on WebGPU what they give on the CPU", "[webgpu][cases]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  cases::check_device_cases([](const cases::OpCase& c) { return !is_structural(c); });
}

TEST_CASE("Gradients of elementwise rows are those of their expressions on WebGPU",
          "[webgpu][cases][gradient]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  cases::check_elementwise_gradients([](const Tensor& x) { return cases::to_device(x); }, 1e-4);
  cases::check_broadcast_gradients([](const Tensor& x) { return cases::to_device(x); }, 5e-5);
}

TEST_CASE("Gradients on WebGPU are those of the CPU, twice over", "[webgpu][cases][gradient]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  cases::check_device_gradients();
}

}  // namespace tenure::webgpu
