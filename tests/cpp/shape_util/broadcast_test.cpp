#include "shape_util/broadcast.h"

#include <vector>

#include "catch.h"

namespace tenure {
namespace {

/// Returns the element of `x` that each element of `out` reads, by the definition of broadcasting.
std::vector<std::size_t> expected_elements(const Shape& x, const Shape& out) {
  std::vector<std::size_t> elements;
  for (std::size_t i = 0; i < out.elements(); ++i) {
    std::size_t rest = i;
    std::size_t at = 0;
    std::size_t stride = 1;
    for (int d = 0; d < out.rank; ++d) {
      const auto extent = static_cast<std::size_t>(out.back(d));
      if (d < x.rank) {
        if (x.back(d) != 1) at += rest % extent * stride;
        stride *= static_cast<std::size_t>(x.back(d));
      }
      rest /= extent;
    }
    elements.push_back(at);
  }
  return elements;
}

std::vector<std::size_t> elements_of_plan(const BroadcastPlan& plan, const std::size_t (&strides)[kMaxRank]) {
  std::vector<std::size_t> elements = {0};
  for (int d = 0; d < plan.rank; ++d) {
    std::vector<std::size_t> inner;
    for (const std::size_t start : elements) {
      for (std::size_t i = 0; i < plan.extent[d]; ++i) inner.push_back(start + i * strides[d]);
    }
    elements = inner;
  }
  return elements;
}

TEST_CASE("A plan reads what broadcasting is defined to read", "[shape_util]") {
  struct Case {
    Shape a;
    Shape b;
    int rank;
  };
  const auto [a, b, rank] =
      GENERATE(Case{{}, {}, 1}, Case{{1, 1}, {1}, 1}, Case{{2, 3, 4}, {2, 3, 4}, 1}, Case{{2, 3, 4}, {}, 1},
               Case{{2, 3, 4}, {4}, 2}, Case{{2, 3, 4}, {3, 1}, 3}, Case{{2, 3, 4}, {2, 1, 1}, 2},
               Case{{5, 1}, {1, 6}, 2}, Case{{2, 1, 4, 1}, {3, 1, 5}, 4});
  const Shape out = broadcast(a, b);
  const BroadcastPlan plan(a, b, out);
  CHECK(plan.rank == rank);
  CHECK(elements_of_plan(plan, plan.stride_a) == expected_elements(a, out));
  CHECK(elements_of_plan(plan, plan.stride_b) == expected_elements(b, out));
}

}  // namespace
}  // namespace tenure
