#include <functional>
#include <map>

#include "gl/backend.h"
#include "gl/fixture.h"
#include "ops/cases/gradient_checks.h"

namespace tenure::gl {
namespace {

/// Scope: runs all ops on the device, whatever their size.
class AllOnDevice {
 public:
  AllOnDevice() { set_min_elements_for_device(0); }
  ~AllOnDevice() { set_min_elements_for_device(kMinElementsForDevice); }
  AllOnDevice(const AllOnDevice&) = delete;
  AllOnDevice& operator=(const AllOnDevice&) = delete;

 private:
  GlFixture gl_;
};

Tensor to_device(const Tensor& x) { return x && backend().can_hold(x.spec()) ? on_device(x) : x; }

Tensors to_device(const Tensors& all) {
  Tensors moved;
  for (const Tensor& x : all) moved.push_back(to_device(x));
  return moved;
}

bool runs_on_device(const cases::OpCase& c, const Tensors& inputs) {
  const OpDef& def = op_def(c.op);
  const bool is_primitive = static_cast<int>(c.op) < kPrimitiveCount && def.kind != OpKind::kView;
  if (!is_primitive || !backend().kernels[static_cast<std::size_t>(c.op)]) return false;
  bool has_elements = inputs.empty();
  for (const Tensor& x : inputs) {
    if (x && x.elements() > 0 && !backend().can_hold(x.spec())) return false;
    has_elements |= x && x.elements() > 0;
  }
  return has_elements;
}

void check_cases(const std::function<bool(const cases::OpCase&)>& is_selected) {
  for (const cases::OpCase& c : cases::all_cases()) {
    if (!is_selected(c)) continue;
    const Tensors inputs = cases::make_inputs(c);
    const Tensors moved = to_device(inputs);
    const std::size_t fallbacks = fallback_count();
    const Tensors got = cases::run_case(c, moved);
    const bool fell_back = fallback_count() != fallbacks;
    if (runs_on_device(c, inputs)) {
      const Tensor& out = got.at(0);
      const bool stays =
          out.elements() == 0 || !backend().can_hold(out.spec()) || out.storage()->only_on_device();
      if (fell_back || !stays) FAIL_CHECK(c.label() << " does not run on the GPU");
    }
    const BackendGuard on_cpu(cpu_backend());
    const Tensors expected = cases::run_case(c, inputs);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const std::string off = cases::difference(got[i], expected[i], c.options.tolerance);
      if (!off.empty()) FAIL_CHECK(c.label() << ", output " << i << ": " << off);
    }
  }
}

}  // namespace

TEST_CASE("Ops give on the GPU what they give on the CPU", "[gl][cases]") {
  const AllOnDevice device;
  check_cases([](const cases::OpCase&) { return true; });
}

// Mesa measures as slow. Without this test, the kernels for GPUs would be tested on GPUs only.
TEST_CASE("Ops give with the kernels for GPUs what they give on the CPU", "[gl][cases][tuning]") {
  const AllOnDevice device;
  const TuningGuard hardware(Tuning::hardware());
  // Elementwise programs differ only in their expressions, and Mesa takes a minute to compile all others.
  constexpr int kCases = 2;
  std::map<Op, int> seen;
  check_cases([&](const cases::OpCase& c) {
    return op_def(c.op).kind == OpKind::kStructural && c.is_small() && seen[c.op]++ < kCases;
  });
}

TEST_CASE("Gradients of elementwise rows are those of their expressions on the GPU",
          "[gl][cases][gradient]") {
  const AllOnDevice device;
  cases::check_elementwise_gradients([](const Tensor& x) { return to_device(x); }, 1e-4);
  cases::check_broadcast_gradients([](const Tensor& x) { return to_device(x); }, 5e-5);
}

// The CPU's gradients are compared with finite differences elsewhere.
TEST_CASE("Gradients on the GPU are those of the CPU, twice over", "[gl][cases][gradient]") {
  const AllOnDevice device;
  for (const cases::OpCase& c : cases::all_cases()) {
    if (!cases::has_gradient_check(c) || !c.is_small()) continue;
    const Tensors inputs = cases::make_inputs(c);
    const bool twice = !c.options.skip_second_order;
    const cases::Function moved = cases::make_function(c, to_device(inputs));
    const std::vector<Tensors> got = cases::gradients_of(moved, twice);
    const BackendGuard on_cpu(cpu_backend());
    const std::vector<Tensors> expected = cases::gradients_of(cases::make_function(c, inputs), twice);
    for (std::size_t order = 0; order < got.size(); ++order) {
      for (std::size_t k = 0; k < got[order].size(); ++k) {
        const std::string off =
            cases::difference(got[order][k], expected[order][k], 10 * c.options.tolerance);
        INFO(c.label() << ", " << (order ? "gradient of its gradient" : "gradient") << " for " << k << ": "
                       << off);
        CHECK(off.empty());
      }
    }
  }
}

}  // namespace tenure::gl
