#include <functional>

#include "catch.h"
#include "core/memory/narrow_integers.h"
#include "cpu/threads/parallel.h"
#include "model/models.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using test::difference;
using test::random_values;

constexpr int kThreads = 4;

/// Returns integers of 8 bits that are stored so.
Tensor narrow(const Shape& shape, bool is_signed) {
  std::vector<std::byte> bytes(shape.elements());
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37 + i / 11);
  return NarrowIntegers::make(bytes, shape, 8, is_signed);
}

/// Returns the same integers as int32.
Tensor widened(const Shape& shape) { return add(narrow(shape, true), Tensor::scalar(0)); }

/// Compares a result on one thread with that on several.
void check_threads(const std::function<Tensor()>& f) {
  const Tensor alone = f();
  threads::workers::set_thread_count(kThreads);
  const Tensor shared = f();
  threads::workers::set_thread_count(1);
  CHECK(alone.dtype() == shared.dtype());
  CHECK(difference(cast(alone, {DType::kFloat32}), cast(shared, {DType::kFloat32})) == 0);
}

}  // namespace

TEST_CASE("Quantized products are the same on several threads", "[cpu][parallel][quantized]") {
  for (const std::int32_t rows : {1, 5, 300}) {
    const Tensor a = widened({rows, 700});
    const Tensor x = random_values({rows, 700});
    for (const std::int32_t columns : {9, 260}) {
      const Tensor b = narrow({700, columns}, true);
      check_threads([&] { return mat_mul_integer(a, b); });
      check_threads([&] { return dynamic_quantize_mat_mul(x, b, Tensor::scalar(0.1F)); });
      const Tensor packed = narrow({columns, 22, 16}, false);
      const Tensor scales = random_values({columns, 22});
      check_threads(
          [&] { return mat_mul_n_bits(x, packed, scales, {.bits = 4, .block_size = 32, .k = 700}); });
    }
  }
}

TEST_CASE("Integer convolutions are the same on several threads", "[cpu][parallel][quantized]") {
  for (const std::int32_t size : {3, 40}) {
    const Tensor x = widened({2, size, size, 24});
    for (const std::int32_t window : {1, 3}) {
      const Tensor filter = narrow({window, window, 24, 40}, true);
      check_threads([&] { return conv2d_integer(x, filter, {.padding = Padding::kSame}); });
    }
  }
}

}  // namespace tenure
