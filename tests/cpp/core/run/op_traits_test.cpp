#include "core/run/op_traits.h"

#include <bit>
#include <vector>

#include "catch.h"

namespace tenure {
namespace {

/// Returns the primitive ops whose traits pass the test.
std::vector<Op> ops_with(bool (*test)(const OpTraits&)) {
  std::vector<Op> ops;
  for (int i = 0; i < kPrimitiveCount; ++i) {
    const auto op = static_cast<Op>(i);
    if (test(op_traits(op))) ops.push_back(op);
  }
  return ops;
}

TEST_CASE("traits belong to the ops whose rows state them", "[op_traits]") {
  CHECK(op_traits(Op::neg).is_memory_bound);
  CHECK_FALSE(op_traits(Op::exp).is_memory_bound);
  CHECK(op_traits(Op::neg).unroll == 4);
  CHECK(op_traits(Op::exp).unroll == 8);
  CHECK(op_traits(Op::transpose).unroll == 1);
  CHECK(op_traits(Op::reshape).products == ProductCount::kNone);
  CHECK(op_traits(Op::ifft).products == ProductCount::kNone);
  CHECK(op_traits(Op::mat_mul).products == ProductCount::kInnerDimension);
  CHECK(ops_with([](const OpTraits& t) { return t.epilogue == EpilogueRole::kResidual; }) ==
        std::vector{Op::add});
  CHECK(ops_with([](const OpTraits& t) { return t.post_ops != PostOpSupport::kNone; }) ==
        std::vector{Op::conv2d, Op::depthwise_conv2d});
}

TEST_CASE("only elementwise ops are memory-bound, unrolled or part of an epilogue", "[op_traits]") {
  for (int i = 0; i < kPrimitiveCount; ++i) {
    const auto op = static_cast<Op>(i);
    const OpTraits& traits = op_traits(op);
    INFO(op_def(op).name);
    CHECK((is_elementwise(op_def(op).kind) ||
           (!traits.is_memory_bound && traits.unroll == 1 && traits.epilogue == EpilogueRole::kNone)));
    CHECK((traits.epilogue == EpilogueRole::kNone || op_def(op).kind == OpKind::kBinary));
  }
}

TEST_CASE("ops with an activation in their attributes are those that decompose", "[op_traits]") {
  for (int i = 0; i < kPrimitiveCount; ++i) {
    const auto op = static_cast<Op>(i);
    INFO(op_def(op).name);
    CHECK(op_traits(op).has_activation() == (op_def(op).decomposition != nullptr));
  }
  const ConvAttrs attrs{.activation = Activation::kTanh, .alpha = 2};
  const AttrsView view(attrs);
  const auto word = static_cast<std::size_t>(op_traits(Op::conv2d).activation_word);
  CHECK(view.words()[word] == static_cast<std::int32_t>(Activation::kTanh));
  CHECK(view.words()[word + 1] == std::bit_cast<std::int32_t>(2.0F));
}

}  // namespace
}  // namespace tenure
