#include "catch.h"
#include "core/memory/allocator.h"
#include "cpu/quant/halves.h"
#include "cpu/threads/parallel.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using test::difference;
using test::make_halves;
using test::random_values;
using test::to_halves;
using test::widen;

/// A matrix of halves, and the same in float32.
struct Matrix {
  Tensor halves;
  Tensor floats;
};

Matrix make_matrix(const Shape& shape, float scale = 1) {
  const std::vector<std::uint16_t> bits = to_halves(mul(random_values(shape, 3), Tensor::scalar(scale)));
  return {make_halves(bits, shape), widen(bits, shape)};
}

float largest(const Tensor& x) { return max(abs(x)).data<float>()[0]; }

/// Compares a product of halves with that of the same floats. Sums are in another order.
void check_product(const Tensor& a, const Matrix& b, const MatMulAttrs& attrs, const Tensor& bias = {}) {
  const Tensor want = mat_mul(a, b.floats, bias, attrs);
  const std::size_t before = allocator_stats().live;
  {
    const Tensor got = mat_mul(a, b.halves, bias, attrs);
    CHECK(difference(got, want) <= 2e-6F * std::max(largest(want), 1e-30F));
  }
  CHECK(HalfFloats::of(b.halves) != nullptr);
  CHECK(allocator_stats().live == before);
}

}  // namespace

TEST_CASE("Products of halves are those of the same floats", "[cpu][halves]") {
  for (const bool transposed : {false, true}) {
    for (const std::int32_t columns : {1, 3, 8, 30, 130}) {
      for (const std::int32_t depth : {1024, 1027}) {
        const Matrix b = make_matrix(transposed ? Shape{columns, depth} : Shape{depth, columns});
        for (const std::int32_t rows : {1, 2, 3, 6, 7, 33, 300}) {
          INFO(rows << "x" << depth << "x" << columns << (transposed ? " transposed" : ""));
          check_product(random_values({rows, depth}), b, {.transpose_b = transposed});
        }
      }
    }
  }
}

TEST_CASE("Products of short sums of halves are those of the same floats", "[cpu][halves]") {
  for (const std::int32_t depth : {1, 2, 3, 4, 5, 6, 7, 13}) {
    for (const bool transposed : {false, true}) {
      const Matrix b = make_matrix(transposed ? Shape{1026, depth} : Shape{depth, 1026});
      for (const std::int32_t rows : {1, 2, 9})
        check_product(random_values({rows, depth}), b, {.transpose_b = transposed});
    }
  }
}

TEST_CASE("Products of halves take a bias, activations, batches and a transposed matrix", "[cpu][halves]") {
  for (const bool transposed : {false, true}) {
    const Matrix b = make_matrix(transposed ? Shape{30, 64} : Shape{64, 30});
    for (const std::int32_t rows : {1, 5, 40}) {
      const Tensor a = random_values({rows, 64});
      for (const Tensor& bias :
           {random_values({30}, 7), random_values({rows, 30}, 8), Tensor::scalar(0.5F)}) {
        for (const Activation activation : {Activation::kLinear, Activation::kRelu, Activation::kTanh})
          check_product(a, b, {.transpose_b = transposed, .activation = activation}, bias);
      }
      check_product(random_values({64, rows}), b, {.transpose_a = true, .transpose_b = transposed});
      check_product(random_values({2, rows, 64}), b, {.transpose_b = transposed});
    }
    const Matrix batch = make_matrix(transposed ? Shape{3, 30, 64} : Shape{3, 64, 30});
    for (const std::int32_t rows : {1, 40}) {
      check_product(random_values({3, rows, 64}), batch, {.transpose_b = transposed});
      check_product(random_values({2, 1, rows, 64}), batch, {.transpose_b = transposed});
    }
  }
}

TEST_CASE("All finite halves are multiplied exactly", "[cpu][halves]") {
  std::vector<std::uint16_t> bits;
  for (std::uint32_t half = 0; half < 0x10000; ++half) {
    if ((half & 0x7c00) != 0x7c00) bits.push_back(static_cast<std::uint16_t>(half));
  }
  // Twice the share of subnormals that is slow to multiply, and far less.
  for (const std::size_t copies : {1U, 3U}) {
    std::vector<std::uint16_t> halves = bits;
    if (copies > 1) halves.insert(halves.end(), 2 * bits.size(), 0x3c00);
    const auto count = static_cast<std::int32_t>(halves.size());
    const bool has_many = HalfFloats::of(make_halves(halves, {1, count}))->has_many_subnormals();
    CHECK(has_many == (copies == 1));
    for (const std::int32_t depth : {1, 4}) {
      for (const bool transposed : {false, true}) {
        const std::int32_t other = count / depth;
        const Shape shape = transposed ? Shape{other, depth} : Shape{depth, other};
        halves.resize(static_cast<std::size_t>(other) * static_cast<std::size_t>(depth));
        for (const std::int32_t rows : {1, 2, 8}) {
          // Selects one row of the matrix.
          Tensor a = fill({.shape = {rows, depth}});
          for (std::int32_t r = 0; r < rows; ++r) a.mutable_data<float>()[r * depth + r % depth] = 2;
          const Tensor got = mat_mul(a, make_halves(halves, shape), {.transpose_b = transposed});
          CHECK(difference(got, mat_mul(a, widen(halves, shape), {.transpose_b = transposed})) == 0);
        }
      }
    }
  }
}

TEST_CASE("Products of halves with huge, tiny, infinite and undefined factors are right", "[cpu][halves]") {
  for (const bool transposed : {false, true}) {
    const Matrix b = make_matrix(transposed ? Shape{40, 64} : Shape{64, 40}, 0.01F);
    for (const float scale : {1e30F, 40000.0F, 32767.0F, 1e-30F, 1e-38F}) {
      for (const std::int32_t rows : {1, 2, 20})
        check_product(mul(random_values({rows, 64}), Tensor::scalar(scale)), b, {.transpose_b = transposed});
    }
    for (const float odd : {INFINITY, -INFINITY, NAN}) {
      Tensor a = random_values({1, 64});
      a.mutable_data<float>()[9] = odd;
      const Tensor got = mat_mul(a, b.halves, {.transpose_b = transposed});
      CHECK(difference(got, mat_mul(a, b.floats, {.transpose_b = transposed})) == 0);
    }
  }
}

TEST_CASE("Products of halves are the same on several threads", "[cpu][parallel][halves]") {
  for (const bool transposed : {false, true}) {
    const Matrix b = make_matrix(transposed ? Shape{1030, 700} : Shape{700, 1030});
    for (const std::int32_t rows : {1, 4, 5, 300}) {
      const Tensor a = random_values({rows, 700});
      const auto product = [&] { return mat_mul(a, b.halves, {.transpose_b = transposed}); };
      const Tensor alone = product();
      threads::workers::set_thread_count(4);
      const Tensor shared = product();
      threads::workers::set_thread_count(1);
      CHECK(difference(alone, shared) == 0);
    }
  }
}

}  // namespace tenure
