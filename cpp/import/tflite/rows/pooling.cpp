#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kPoolOptions[] = {{"padding", 0, Option::kByte},    {"stride_w", 1, Option::kInt, 0},
                                   {"stride_h", 2, Option::kInt, 0}, {"window_w", 3, Option::kInt, 0},
                                   {"window_h", 4, Option::kInt, 0}, {"activation", 5, Option::kByte}};

PoolAttrs read_pool(const Call& call) {
  return {.window_h = read_positive(call, "window_h"),
          .window_w = read_positive(call, "window_w"),
          .stride_h = read_positive(call, "stride_h"),
          .stride_w = read_positive(call, "stride_w"),
          .padding = read_padding(call)};
}

Tensor averaged(const Call& call) { return activate(call, avg_pool(call[0], read_pool(call))); }
Tensor maximal(const Call& call) { return activate(call, max_pool(call[0], read_pool(call))); }
/// Returns the root of the mean of the squares in each window.
Tensor rooted(const Call& call) { return activate(call, sqrt(avg_pool(square(call[0]), read_pool(call)))); }

constexpr OpRow kRows[] = {
    {1, {"AVERAGE_POOL_2D", averaged}, kPoolOptions, Quantized::kRounded},
    {12, {"L2_POOL_2D", rooted}, kPoolOptions},
    {17, {"MAX_POOL_2D", maximal}, kPoolOptions, Quantized::kSame},
};

}  // namespace

std::span<const OpRow> pooling_rows() { return kRows; }

}  // namespace tenure::tflite
