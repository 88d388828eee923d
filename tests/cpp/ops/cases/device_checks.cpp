#include "ops/cases/device_checks.h"

#include <cstring>
#include <optional>

#include "catch.h"
#include "core/run/dispatch.h"
#include "ops/cases/finite_differences.h"

namespace tenure::cases {
namespace {

bool runs_on_device(const OpCase& c, const Tensors& inputs) {
  const OpDef& def = op_def(c.op);
  const bool is_primitive = static_cast<int>(c.op) < kPrimitiveCount && def.kind != OpKind::kView;
  if (!is_primitive || !backend().kernel(c.op)) return false;
  bool has_elements = inputs.empty();
  for (const Tensor& x : inputs) {
    if (x && x.elements() > 0 && !backend().supports(x.spec())) return false;
    has_elements |= x && x.elements() > 0;
  }
  return has_elements;
}

}  // namespace

AllOnDevice::AllOnDevice() { set_min_elements_for_device(0); }
AllOnDevice::~AllOnDevice() { set_min_elements_for_device(std::nullopt); }

Tensor to_device(const Tensor& x) {
  if (!x || x.elements() == 0 || !backend().supports(x.spec())) return x;
  Tensor copy(x.spec());
  std::memcpy(copy.mutable_data<std::byte>(), x.data<std::byte>(), x.bytes());
  backend().device->move_to_device(copy);
  return copy;
}

Tensors to_device(const Tensors& all) {
  Tensors moved;
  for (const Tensor& x : all) moved.push_back(to_device(x));
  return moved;
}

void check_device_cases(const std::function<bool(const OpCase&)>& is_selected) {
  for (const OpCase& c : all_cases()) {
    if (!is_selected(c)) continue;
    const Tensors inputs = make_inputs(c);
    const Tensors moved = to_device(inputs);
    const std::size_t fallbacks = fallback_count();
    const Tensors got = run_case(c, moved);
    const bool fell_back = fallback_count() != fallbacks;
    if (runs_on_device(c, inputs)) {
      const Tensor& out = got.at(0);
      const bool stays =
          out.elements() == 0 || !backend().supports(out.spec()) || out.storage()->only_on_device();
      if (fell_back || !stays) FAIL_CHECK(c.label() << " does not run on the device");
    }
    const BackendGuard on_cpu(cpu_backend());
    const Tensors expected = run_case(c, inputs);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const std::string off = difference(got[i], expected[i], c.options.tolerance);
      if (!off.empty()) FAIL_CHECK(c.label() << ", output " << i << ": " << off);
    }
  }
}

void check_device_gradients() {
  for (const OpCase& c : all_cases()) {
    if (!has_gradient_check(c) || !c.is_small()) continue;
    const Tensors inputs = make_inputs(c);
    const bool twice = !c.options.skip_second_order;
    const Function moved = make_function(c, to_device(inputs));
    const std::vector<Tensors> got = compute_gradients(moved, twice);
    const BackendGuard on_cpu(cpu_backend());
    const std::vector<Tensors> expected = compute_gradients(make_function(c, inputs), twice);
    for (std::size_t order = 0; order < got.size(); ++order) {
      for (std::size_t k = 0; k < got[order].size(); ++k) {
        const std::string off = difference(got[order][k], expected[order][k], 10 * c.options.tolerance);
        INFO(c.label() << ", " << (order ? "gradient of its gradient" : "gradient") << " for " << k << ": "
                       << off);
        CHECK(off.empty());
      }
    }
  }
}

}  // namespace tenure::cases
