#include "catch.h"
#include "core/memory/narrow_integers.h"
#include "core/run/backend.h"
#include "model/models.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using test::difference;
using test::random_values;

struct Convolution {
  Shape x;
  Shape filter;
  IntegerConvAttrs attrs;
};

/// Returns integers of int8 that are stored so, in order or as the transpose [columns, rows].
Tensor narrow(const Shape& shape, bool is_transposed = false) {
  std::vector<std::byte> bytes(shape.elements());
  const auto columns = static_cast<std::size_t>(shape.back());
  const std::size_t rows = bytes.size() / columns;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::size_t at = is_transposed ? i % columns * rows + i / columns : i;
    bytes[at] = static_cast<std::byte>(i * 37 + i / 11);
  }
  const Tensor stored = NarrowIntegers::make(bytes, shape, 8, true);
  return is_transposed ? NarrowIntegers::transpose(*NarrowIntegers::of(stored), shape) : stored;
}

/// Returns whole numbers from `low` to `high` as float32.
Tensor whole_numbers(const Shape& shape, int low, int high) {
  std::vector<float> values(shape.elements());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(low + static_cast<int>(i * 53 % static_cast<std::size_t>(high - low + 1)));
  return Tensor::from(std::span<const float>(values), shape);
}

/// Compares a prepared kernel with the op on a filter of int32, for pixels from `low` to `high`.
void check_prepared(const Convolution& one, int low, int high, bool is_transposed) {
  const Tensor x = whole_numbers(one.x, low, high);
  const Tensor filter = narrow(one.filter, is_transposed);
  const Tensor wide = add(narrow(one.filter), Tensor::scalar(0));
  const std::int32_t columns = one.filter.back();
  const Tensor bias = cast(whole_numbers({columns}, -900, 900), {DType::kInt32});
  const Tensor scales = mul(random_values({columns}), Tensor::scalar(0.01F));
  IntegerConvAttrs attrs = one.attrs;
  attrs.low = -90;
  attrs.high = 100;
  const Tensor expected = conv2d_integer(x, wide, bias, scales, attrs);
  // Packs the filter as kernels that are not prepared do.
  CHECK(difference(conv2d_integer(x, filter, bias, scales, attrs), expected) == 0);
  const auto prepared =
      cpu_backend().prepare(Op::conv2d_integer, {&x, &filter, &bias, &scales}, AttrsView(attrs));
  REQUIRE(prepared);
  Tensor out = Tensor::deferred(expected.spec());
  prepared->run({{&x, &filter, &bias, &scales}, AttrsView(attrs), out});
  CHECK(difference(out, expected) == 0);
  // And reads it as it was prepared.
  CHECK(difference(conv2d_integer(x, filter, bias, scales, attrs), expected) == 0);
  // The packed filter still has its elements.
  CHECK(difference(cast(filter, {DType::kFloat32}), cast(wide, {DType::kFloat32})) == 0);
}

}  // namespace

TEST_CASE("Prepared filters of integers give what others do", "[cpu][quantized]") {
  const Convolution convolutions[] = {
      {{2, 5, 6, 3}, {3, 3, 3, 5}, {.padding = Padding::kSame}},
      {{1, 9, 7, 4}, {3, 2, 4, 9}, {.stride_h = 2, .stride_w = 2}},
      {{1, 9, 9, 6}, {1, 1, 6, 16}, {}},
      {{1, 1, 1, 40}, {1, 1, 40, 10}, {}},
      {{1, 2, 3, 7}, {1, 1, 7, 8}, {}},
      {{1, 12, 5, 1}, {10, 4, 1, 16}, {.stride_h = 2, .stride_w = 2, .padding = Padding::kSame}},
      {{1, 7, 9, 5}, {3, 3, 5, 10}, {.dilation_h = 1, .dilation_w = 2, .padding = Padding::kSame}},
      {{1, 8, 8, 16}, {3, 3, 16, 12}, {.padding = Padding::kSame}},
      {{1, 9, 8, 20}, {3, 3, 1, 20}, {.stride_h = 2, .stride_w = 2, .padding = Padding::kSame}},
      {{1, 9, 8, 4}, {3, 3, 1, 12}, {.padding = Padding::kSame}},
      // Rows that are too wide to be interleaved.
      {{1, 1, 8, 2}, {1, 2, 1, 2}, {.dilation_w = 1 << 16, .padding = Padding::kSame}},
  };
  for (const Convolution& one : convolutions) {
    for (const bool is_transposed : {false, true}) {
      check_prepared(one, -128, 127, is_transposed);
      check_prepared(one, 0, 255, is_transposed);
      check_prepared(one, -255, 0, is_transposed);
      // One value more than bytes have.
      check_prepared(one, -128, 128, is_transposed);
      check_prepared(one, -3000, 3000, is_transposed);
    }
  }
}

/// Compares a prepared kernel with the op on a filter of int32, with a bias and scales that may be left out.
void check_epilogue(const Convolution& one, const Tensor& bias, const Tensor& scales) {
  const Tensor x = whole_numbers(one.x, -128, 127);
  const Tensor filter = narrow(one.filter);
  const Tensor wide = add(narrow(one.filter), Tensor::scalar(0));
  const Tensor expected = conv2d_integer(x, wide, bias, scales, one.attrs);
  const auto prepared =
      cpu_backend().prepare(Op::conv2d_integer, {&x, &filter, &bias, &scales}, AttrsView(one.attrs));
  REQUIRE(prepared);
  Tensor out = Tensor::deferred(expected.spec());
  prepared->run({{&x, &filter, &bias, &scales}, AttrsView(one.attrs), out});
  CHECK(difference(out, expected) == 0);
}

TEST_CASE("Prepared filters of integers take no bias, one scale for all channels, or none",
          "[cpu][quantized]") {
  const Convolution convolutions[] = {
      {{1, 8, 8, 16}, {3, 3, 16, 12}, {.padding = Padding::kSame, .low = -128, .high = 127}},
      {{1, 9, 8, 20}, {3, 3, 1, 20}, {.padding = Padding::kSame, .low = -255, .high = 0}},
  };
  for (const Convolution& one : convolutions) {
    const std::int32_t columns = one.filter.back();
    // Sums of the largest bias and products wrap around.
    for (const Tensor& bias : {Tensor(), Tensor::scalar(77), Tensor::scalar(INT32_MAX),
                               cast(whole_numbers({columns}, -900, 900), {DType::kInt32})}) {
      for (const Tensor& scales :
           {Tensor(), Tensor::scalar(0.003F), mul(random_values({columns}), Tensor::scalar(0.01F))})
        check_epilogue(one, bias, scales);
    }
  }
}

TEST_CASE("Images of integers that pads make too large are errors", "[cpu][quantized]") {
  const Tensor x = whole_numbers({1, 1, 8, 32}, -128, 127);
  CHECK_THROWS_WITH(
      conv2d_integer(x, narrow({1, 2, 1, 32}), {.dilation_w = 1 << 27, .padding = Padding::kSame}),
      Catch::Matchers::ContainsSubstring("elements with their padding, at most 2147483647"));
}

}  // namespace tenure
