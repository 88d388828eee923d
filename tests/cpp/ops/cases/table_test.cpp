#include <algorithm>

#include "catch.h"
#include "core/memory/allocator.h"
#include "core/run/fault_injection.h"
#include "ops/cases/finite_differences.h"

namespace tenure::cases {
namespace {

/// Outputs of a call, or the message of what it throws.
struct Outcome {
  Tensors outputs;
  std::string error;
};

template <class F>
Outcome attempted(F f) {
  try {
    return {f(), {}};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

/// Returns the case's shapes with extents of 0: each extent of each input by itself, and all extents of one
/// size together.
std::vector<std::vector<Shape>> emptied(const OpCase& c) {
  std::vector<std::vector<Shape>> all;
  const std::vector<Shape> shapes = c.shapes();
  std::vector<std::int32_t> sizes;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    for (int i = 0; i < shapes[k].rank; ++i) {
      all.push_back(shapes);
      all.back()[k][i] = 0;
      if (std::find(sizes.begin(), sizes.end(), shapes[k][i]) == sizes.end()) sizes.push_back(shapes[k][i]);
    }
  }
  for (const std::int32_t size : sizes) {
    all.push_back(shapes);
    for (Shape& shape : all.back())
      for (std::int32_t& extent : shape)
        if (extent == size) extent = 0;
  }
  return all;
}

}  // namespace

TEST_CASE("Every op has a case, and each gradient is compared with slopes", "[cases]") {
  std::vector<int> cases(static_cast<std::size_t>(kOpCount));
  std::vector<int> slopes(cases.size());
  for (const OpCase& c : all_cases()) {
    ++cases[static_cast<std::size_t>(c.op)];
    slopes[static_cast<std::size_t>(c.op)] += has_gradient_check(c) && c.is_small();
  }
  for (int i = 0; i < kOpCount; ++i) {
    const auto op = static_cast<Op>(i);
    INFO("op " << op_def(op).name << ": add a case to tests/cpp/ops/cases");
    CHECK(cases[static_cast<std::size_t>(i)] > 0);
    const bool is_structural = op_def(op).kind == OpKind::kStructural || op_def(op).kind == OpKind::kView;
    if (is_structural && op_def(op).gradient == Gradient::kRule)
      CHECK(slopes[static_cast<std::size_t>(i)] > 0);
  }
}

TEST_CASE("Ops give the values of their definition, and leave nothing", "[cases]") {
  for (const OpCase& c : all_cases()) {
    const AllocatorStats before = allocator_stats();
    {
      const Tensors inputs = make_inputs(c);
      const Outcome outcome = attempted([&] { return run_case(c, inputs); });
      std::string off = outcome.error;
      if (off.empty() && c.options.reference)
        off =
            difference(outcome.outputs.at(0), c.options.reference(inputs), c.options.exact, c.options.least);
      if (off.empty() && c.options.shape && outcome.outputs[0].shape() != *c.options.shape)
        off = text("expected shape ", *c.options.shape, ", got ", outcome.outputs[0].shape());
      if (!off.empty()) FAIL_CHECK(c.label() << ": " << off);
    }
    const AllocatorStats after = allocator_stats();
    if (after.live != before.live || after.blocks != before.blocks)
      FAIL_CHECK(c.label() << " leaves memory behind");
  }
}

TEST_CASE("Ops of nothing give nothing, or say what does not fit", "[cases]") {
  for (const OpCase& c : all_cases()) {
    if (!c.is_small()) continue;
    for (const std::vector<Shape>& shapes : emptied(c)) {
      const AllocatorStats before = allocator_stats();
      INFO(c.label() << ", first input " << (shapes.empty() ? "none" : text(shapes[0])));
      {
        const Tensors inputs = make_inputs(c, shapes);
        const Outcome outcome = attempted([&] { return run_case(c, inputs); });
        if (!outcome.outputs.empty() && has_gradient_check(c)) {
          const Function function = make_function(c, inputs);
          const Outcome walked =
              attempted([&] { return value_and_gradients(function.f, function.xs).gradients; });
          if (walked.error.empty()) {
            for (std::size_t i = 0; i < walked.outputs.size(); ++i)
              CHECK(walked.outputs[i].shape() == function.xs[i].shape());
          } else {
            FAIL_CHECK("the gradient throws: " << walked.error);
          }
        }
      }
      if (allocator_stats().blocks != before.blocks) FAIL_CHECK("memory is left behind");
    }
  }
}

#ifdef TENURE_DEBUG

TEST_CASE("Whatever fails in an op or its gradient, nothing is left", "[cases][fault_injection]") {
  for (const OpCase& c : all_cases()) {
    if (!c.is_small()) continue;
    const Tensors inputs = make_inputs(c);
    const Function function = make_function(c, inputs);
    const AllocatorStats before = allocator_stats();
    int steps = has_gradient_check(c) ? 2 : 1;
    for (; steps > 0; --steps) {
      bool failed = true;
      for (int after = 0; failed && after < 1000; ++after) {
        fault_injection::fail_allocation(after);
        failed = false;
        try {
          if (steps == 1) {
            run_case(c, inputs);
          } else {
            value_and_gradients(function.f, function.xs);
          }
        } catch (const Error& error) {
          failed = error.code() == ErrorCode::kOutOfMemory;
          if (!failed) FAIL_CHECK(c.label() << ": " << error.what());
        }
        fault_injection::fail_allocation(-1);
        if (allocator_stats().blocks != before.blocks) {
          FAIL_CHECK(c.label() << ": allocation " << after << " leaves memory behind");
          break;
        }
      }
    }
  }
}

#endif

}  // namespace tenure::cases
