#include "cpu/threads/warm_up.h"

#include "catch.h"
#include "core/memory/allocator.h"
#include "core/run/fault_injection.h"

namespace tenure {
namespace {

void warm_up(Op op) {
  const Shape image = {1, 8, 8, 4};
  switch (op) {
    case Op::conv2d: return cpu::warm_up(op, image, {3, 3, 4, 16}, AttrsView(ConvAttrs()));
    case Op::depthwise_conv2d: return cpu::warm_up(op, image, {3, 3, 4, 1}, AttrsView(ConvAttrs()));
    case Op::mat_mul: return cpu::warm_up(op, {1, 4}, {4, 8}, AttrsView(MatMulAttrs()));
    default: return cpu::warm_up(op, image, image, {});
  }
}

}  // namespace

TEST_CASE("Warming up calls kernels once, and gives back what it takes", "[cpu][plan]") {
  for (int op = 0; op < static_cast<int>(Op::kPrimitiveCount); ++op) {
    INFO("op " << op);
    const std::size_t live = allocator_stats().live;
    warm_up(static_cast<Op>(op));
    CHECK(allocator_stats().live == live);
#ifdef TENURE_DEBUG
    // A second call allocates nothing.
    fault_injection::fail_allocation(0);
    CHECK_NOTHROW(warm_up(static_cast<Op>(op)));
    fault_injection::fail_allocation(-1);
#endif
  }
}

TEST_CASE("A loop is compiled ahead by calls alone", "[cpu][plan]") {
  int calls = 0;
  cpu::force_jit_tier_up(19'500, [&] { ++calls; });
  CHECK(calls == 1000);
}

}  // namespace tenure
