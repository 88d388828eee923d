#include "catch.h"
#include "core/memory/allocator.h"
#include "ops/cases/gradient_checks.h"

namespace tenure::cases {
namespace {

Tensor here(const Tensor& x) { return x; }

}  // namespace

TEST_CASE("Gradients of elementwise rows are those of their expressions, twice over", "[cases][gradient]") {
  const std::size_t before = allocator_stats().blocks;
  check_elementwise_gradients(here, 2e-5);
  check_broadcast_gradients(here, 1e-5);
  CHECK(allocator_stats().blocks == before);
}

TEST_CASE("Gradients of the other ops are their slopes, twice over", "[cases][gradient]") {
  for (const OpCase& c : all_cases()) {
    if (!c.is_small() || !has_gradient_check(c)) continue;
    const std::size_t before = allocator_stats().blocks;
    {
      const Function function = make_function(c, make_inputs(c));
      const bool twice = !c.options.skip_second_order;
      const std::vector<Tensors> got = compute_gradients(function, twice);
      const std::vector<Tensors> expected = finite_differences(function, twice);
      for (std::size_t order = 0; order < got.size(); ++order) {
        for (std::size_t k = 0; k < got[order].size(); ++k) {
          const std::string off = difference(got[order][k], expected[order][k], 6e-3);
          INFO(c.label() << ", " << (order ? "gradient of its gradient" : "gradient") << " for " << k << ": "
                         << off);
          CHECK(off.empty());
        }
      }
    }
    CHECK(allocator_stats().blocks == before);
  }
}

TEST_CASE("What has no gradient says so", "[cases][gradient]") {
  for (const OpCase& c : all_cases()) {
    const bool is_primitive = op_def(c.op).kind != OpKind::kComposed && op_def(c.op).kind != OpKind::kHost;
    if (!is_primitive || op_def(c.op).gradient != Gradient::kNone || c.inputs.empty() || !c.is_small())
      continue;
    if (c.inputs[0].spec.dtype == DType::kString) continue;
    const std::size_t before = allocator_stats().blocks;
    {
      const auto f = [&](const Tensors& xs) { return run_case(c, xs).at(0); };
      INFO(c.label());
      CHECK_THROWS_WITH(value_and_gradients(f, make_inputs(c)),
                        Catch::Matchers::ContainsSubstring("gradient function not found"));
    }
    CHECK(allocator_stats().blocks == before);
  }
}

}  // namespace tenure::cases
