#include "cpu/gemm/gemm.h"

#include <algorithm>
#include <vector>

#include "catch.h"

namespace tenure::cpu::gemm {
namespace {

// All factors are ones: each product is the depth.
TEST_CASE("products write their rows, and nothing before or behind them", "[gemm]") {
  constexpr std::size_t kDepth = 3;
  constexpr std::size_t kAround = 16;
  constexpr float kUntouched = -7;
  const int columns = GENERATE(1, 2, 3, 4, 5, 6, 7, 8, 9);
  const int count = GENERATE(1, 2, 3, 4, 5, 7, 12, 13);
  const int gap = GENERATE(0, 1, 5);
  const auto width = static_cast<std::size_t>(columns);
  const std::vector<float> ones(kDepth * width + kNR, 1.0F);
  const std::size_t step = width + static_cast<std::size_t>(gap);
  std::vector<float> out(2 * kAround + static_cast<std::size_t>(count) * step, kUntouched);
  std::vector<float> expected = out;
  std::vector<const float*> in(static_cast<std::size_t>(count), ones.data());
  std::vector<float*> rows(static_cast<std::size_t>(count));
  fill_row_pointers(out.data() + kAround, step, count, rows.data());
  for (float* row : rows)
    std::fill_n(expected.begin() + (row - out.data()), columns, static_cast<float>(kDepth));
  multiply({in.data(), in.size(), 1, static_cast<int>(kDepth), rows.data(), count},
           Panels::plain(ones.data(), columns, width), {});
  CHECK(out == expected);
}

}  // namespace
}  // namespace tenure::cpu::gemm
