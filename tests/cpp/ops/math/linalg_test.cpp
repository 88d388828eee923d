#include <algorithm>

#include "cpu/gemm/packed_kernels.h"
#include "ops/ops.h"
#include "ops/reference.h"

namespace tenure {
namespace {

using Catch::Matchers::Message;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::StartsWith;
using reference::error;
using reference::noise;

double at(const Tensor& x, std::size_t i) {
  return x.dtype() == DType::kInt32 ? x.data<std::int32_t>()[i] : static_cast<double>(x.data<float>()[i]);
}

// Returns the offset of element `index` of `out` in a tensor that broadcasts to it, without the last `own`
// dimensions.
std::size_t broadcast_offset(const Shape& shape, const Shape& out, std::size_t index, int own) {
  std::size_t offset = 0;
  std::size_t step = shape.elements(shape.rank - own, shape.rank);
  for (int i = own; i < out.rank; ++i) {
    const std::size_t position = index % static_cast<std::size_t>(out.back(i));
    index /= static_cast<std::size_t>(out.back(i));
    if (i >= shape.rank) continue;
    offset += (shape.back(i) == 1 ? 0 : position) * step;
    step *= static_cast<std::size_t>(shape.back(i));
  }
  return offset;
}

std::vector<double> naive(const Tensor& a, const Tensor& b, const Tensor* bias, const Shape& out,
                          const MatMulAttrs& attrs) {
  const auto rows = static_cast<std::size_t>(out.back(1));
  const auto columns = static_cast<std::size_t>(out.back());
  const auto depth = static_cast<std::size_t>(a.shape().back(attrs.transpose_a ? 1 : 0));
  std::vector<double> result;
  for (std::size_t i = 0; i < out.elements(); ++i) {
    const std::size_t batch = i / columns / rows;
    const std::size_t from_a = broadcast_offset(a.shape(), out, batch, 2);
    const std::size_t from_b = broadcast_offset(b.shape(), out, batch, 2);
    const std::size_t r = i / columns % rows;
    const std::size_t n = i % columns;
    double sum = bias ? at(*bias, broadcast_offset(bias->shape(), out, i, 0)) : 0;
    for (std::size_t k = 0; k < depth; ++k) {
      sum += at(a, from_a + (attrs.transpose_a ? k * rows + r : r * depth + k)) *
             at(b, from_b + (attrs.transpose_b ? n * depth + k : k * columns + n));
    }
    result.push_back(reference::activate(sum, attrs.activation, attrs.alpha));
  }
  return result;
}

void check_product(const Shape& a_shape, const Shape& b_shape, const MatMulAttrs& attrs,
                   const Shape* bias_shape = nullptr) {
  const Tensor a = noise(a_shape, 1);
  const Tensor b = noise(b_shape, 2);
  const Tensor bias = bias_shape ? noise(*bias_shape, 3) : Tensor();
  const Tensor out = mat_mul(a, b, bias, attrs);
  INFO(text("a ", a_shape, " b ", b_shape, " transpose ", attrs.transpose_a, attrs.transpose_b));
  CHECK(error(out, naive(a, b, bias_shape ? &bias : nullptr, out.shape(), attrs)) < 5e-5);
}

TEST_CASE("matMul agrees with plain sums", "[mat_mul]") {
  const int rows = GENERATE(1, 2, 3, 4, 5, 16, 67, 130);
  const int columns = GENERATE(1, 3, 4, 5, 7, 8, 9, 31, 32, 45, 70);
  const int depth = GENERATE(0, 1, 2, 7, 64, 530);
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      const Shape a = transpose_a ? Shape{depth, rows} : Shape{rows, depth};
      const Shape b = transpose_b ? Shape{columns, depth} : Shape{depth, columns};
      check_product(a, b, {.transpose_a = transpose_a, .transpose_b = transpose_b});
    }
  }
}

TEST_CASE("matMul reaches through several slices of the depth", "[mat_mul]") {
  check_product({70, 1100}, {1100, 20}, {.activation = Activation::kRelu});
  check_product({1100, 70}, {20, 1100}, {.transpose_a = true, .transpose_b = true});
}

TEST_CASE("matMul of few rows streams through a wide matrix", "[mat_mul]") {
  const int rows = GENERATE(1, 2, 3, 7, 8, 9);
  const int columns = GENERATE(128, 511, 512, 513, 520, 1003);
  const int depth = GENERATE(1, 5, 6, 7, 8, 9, 16, 100);
  const Shape bias = {columns};
  check_product({rows, depth}, {depth, columns}, {});
  check_product({rows, depth}, {depth, columns}, {.activation = Activation::kRelu}, &bias);
}

TEST_CASE("matMul packs columns as they are needed", "[mat_mul]") {
  const int rows = GENERATE(9, 40, 264, 265);
  const int columns = GENERATE(33, 64, 100);
  const Shape bias = {columns};
  check_product({rows, 70}, {70, columns}, {.activation = Activation::kSigmoid}, &bias);
}

TEST_CASE("matMul reads panels of a large matrix ahead, and nothing behind the last", "[mat_mul]") {
  const int columns = GENERATE(513, 516, 519);
  check_product({270, 600}, {600, columns}, {});
}

TEST_CASE("matMul with one column sums rows four at a time", "[mat_mul]") {
  const int rows = GENERATE(1, 3, 4, 5, 8, 101);
  const int depth = GENERATE(1, 3, 4, 8, 17, 100);
  const Shape bias = {1};
  check_product({rows, depth}, {depth, 1}, {.activation = Activation::kRelu6}, &bias);
  check_product({rows, depth}, {1, depth}, {.transpose_b = true, .activation = Activation::kElu}, &bias);
}

TEST_CASE("matMul writes rows of less than a vector one over the end of the other", "[mat_mul]") {
  const int rows = GENERATE(2, 5, 263, 264, 265, 266, 1000);
  const int columns = GENERATE(2, 3, 5, 6, 7);
  const int depth = GENERATE(1, 3, 600);
  const Shape bias = {columns};
  check_product({rows, depth}, {depth, columns}, {.activation = Activation::kRelu}, &bias);
  check_product({2, rows, depth}, {2, columns, depth}, {.transpose_b = true});
}

TEST_CASE("matMul broadcasts its batch dimensions", "[mat_mul]") {
  const auto [a, b] = GENERATE(table<Shape, Shape>({{{3, 4, 5}, {3, 5, 6}},
                                                    {{3, 4, 5}, {5, 6}},
                                                    {{4, 5}, {3, 5, 6}},
                                                    {{3, 4, 5}, {1, 5, 6}},
                                                    {{1, 4, 5}, {3, 5, 6}},
                                                    {{2, 3, 4, 5}, {3, 5, 6}},
                                                    {{2, 1, 4, 5}, {1, 3, 5, 6}},
                                                    {{2, 1, 1, 5}, {2, 3, 5, 9}},
                                                    {{1, 1, 4, 5}, {5, 6}}}));
  const Shape bias = {b.back()};
  check_product(a, b, {}, &bias);
  Shape swapped_a = a;
  Shape swapped_b = b;
  std::swap(swapped_a.back(0), swapped_a.back(1));
  std::swap(swapped_b.back(0), swapped_b.back(1));
  check_product(swapped_a, swapped_b, {.transpose_a = true, .transpose_b = true}, &bias);
}

TEST_CASE("matMul adds a bias of any shape that broadcasts", "[mat_mul]") {
  const Shape bias = GENERATE(Shape{}, Shape{1}, Shape{11}, Shape{1, 11}, Shape{9, 1}, Shape{9, 11},
                              Shape{3, 1, 11}, Shape{1, 1, 11}, Shape{3, 9, 11});
  const bool transpose_b = GENERATE(false, true);
  check_product({3, 9, 7}, transpose_b ? Shape{11, 7} : Shape{7, 11},
                {.transpose_b = transpose_b, .activation = Activation::kTanh}, &bias);
}

TEST_CASE("matMul applies every activation", "[mat_mul]") {
  const int number = GENERATE(Catch::Generators::range(0, kActivationCount));
  const Shape bias = {13};
  for (const int rows : {1, 6}) {
    for (const bool transpose_b : {false, true}) {
      check_product(
          {rows, 12}, transpose_b ? Shape{13, 12} : Shape{12, 13},
          {.transpose_b = transpose_b, .activation = static_cast<Activation>(number), .alpha = 0.3F}, &bias);
    }
  }
}

TEST_CASE("matMul keeps NaN through relu, and does not invent any", "[mat_mul]") {
  const Tensor a = Tensor::from({NAN, 1.0F}, {2, 1});
  const Tensor b = Tensor::from({1.0F}, {1, 1});
  const Tensor out = mat_mul(a, b, {.activation = Activation::kRelu});
  CHECK(std::isnan(out.data<float>()[0]));
  CHECK(out.data<float>()[1] == 1.0F);
}

TEST_CASE("matMul of empty tensors is empty, or the bias", "[mat_mul]") {
  const Tensor none = noise({0, 3}, 1);
  const Tensor b = noise({3, 2}, 2);
  CHECK(mat_mul(none, b).shape() == Shape{0, 2});
  const Shape bias = {5};
  check_product({0, 4, 0}, {0, 0, 5}, {}, &bias);
  check_product({2, 4, 0}, {2, 0, 5}, {}, &bias);
}

TEST_CASE("matMul of int32 is exact and wraps around", "[mat_mul]") {
  const Tensor a = Tensor::from({16777217, 1, 2147483647, 1}, {2, 2});
  const Tensor b = Tensor::from({1, 0, 0, 1}, {2, 2});
  const Tensor bias = Tensor::from({0, 2147483647}, {2});
  const Tensor out = mat_mul(a, b, bias);
  CHECK(out.dtype() == DType::kInt32);
  CHECK(std::ranges::equal(out.values<std::int32_t>(),
                           std::vector<std::int32_t>{16777217, -2147483648, 2147483647, -2147483648}));
  const Tensor transposed = mat_mul(a, a, {.transpose_a = true, .transpose_b = true});
  CHECK(transposed.data<std::int32_t>()[0] == static_cast<std::int32_t>(16777217U * 16777217U + 2147483647U));
}

TEST_CASE("matMul of int32 and float32 is float32", "[mat_mul]") {
  const Tensor a = Tensor::from({1, 2, 3, 4}, {2, 2});
  const Tensor b = Tensor::from({0.5F, 1.0F}, {2, 1});
  const Tensor out = mat_mul(a, b);
  CHECK(std::ranges::equal(out.values<float>(), std::vector<float>{2.5F, 5.5F}));
}

TEST_CASE("a packed matrix gives the same products", "[mat_mul]") {
  const int rows = GENERATE(1, 5, 80);
  const bool transpose_b = GENERATE(false, true);
  const Tensor a = noise({2, rows, 33}, 1);
  const Tensor b = noise(transpose_b ? Shape{42, 33} : Shape{33, 42}, 2);
  const Tensor bias = noise({42}, 3);
  const MatMulAttrs attrs = {.transpose_b = transpose_b, .activation = Activation::kSigmoid};
  Tensor out(TensorSpec{{2, rows, 42}, DType::kFloat32});
  cpu::mat_mul_packed({{&a, &b, &bias}, AttrsView(attrs), out}, cpu::pack_mat_mul(b, transpose_b));
  CHECK(error(out, naive(a, b, &bias, out.shape(), attrs)) < 5e-5);
}

TEST_CASE("matMul says what does not fit", "[mat_mul]") {
  const Tensor a = noise({2, 3}, 1);
  const Tensor b = noise({2, 4}, 2);
  CHECK_THROWS_MATCHES(
      mat_mul(a, b), Error,
      Message("[matMul] Error in matMul: inner shapes (3) and (2) of Tensors with shapes [2,3] and "
              "[2,4] and transposeA=false and transposeB=false must match."));
  const Tensor vector = noise({3}, 3);
  CHECK_THROWS_MATCHES(mat_mul(a, vector), Error,
                       Message("[matMul] Error in matMul: 'b' must be at least rank 2, but got rank 1."));
  const Tensor flags = Tensor::from({true, false}, {2, 1});
  CHECK_THROWS_MATCHES(mat_mul(a, flags), Error, MessageMatches(StartsWith("[matMul] Argument 'b' passed")));
  const Tensor two = noise({2, 2, 3}, 4);
  const Tensor three = noise({3, 3, 2}, 5);
  CHECK_THROWS_MATCHES(mat_mul(two, three), Error,
                       MessageMatches(StartsWith("[matMul] Operands could not be broadcast")));
  const MatMulAttrs transposed = {.transpose_a = true};
  CHECK_THROWS_MATCHES(
      mat_mul(a, b, vector, transposed), Error,
      Message("[matMul] Error in fused matMul: bias shape [3] must broadcast to the output's shape [3,4]"));
}

TEST_CASE("matMul too large for a tensor throws before it allocates", "[mat_mul]") {
  const Tensor column = noise({60000, 1}, 1);
  CHECK_THROWS_AS(mat_mul(column, column, {.transpose_b = true}), Error);
}

TEST_CASE("dot takes vectors and matrices", "[dot]") {
  const Tensor v = Tensor::from({1.0F, 2.0F}, {2});
  const Tensor m = Tensor::from({1.0F, 2.0F, 3.0F, 4.0F}, {2, 2});
  const auto run = [](const Tensor& a, const Tensor& b) { return dot(a, b); };
  CHECK(run(v, v).rank() == 0);
  CHECK(run(v, v).data<float>()[0] == 5.0F);
  CHECK(run(v, m).shape() == Shape{2});
  CHECK(std::ranges::equal(run(v, m).values<float>(), std::vector<float>{7, 10}));
  CHECK(run(m, v).shape() == Shape{2});
  CHECK(std::ranges::equal(run(m, v).values<float>(), std::vector<float>{5, 11}));
  CHECK(std::ranges::equal(run(m, m).values<float>(), std::vector<float>{7, 10, 15, 22}));
  CHECK_THROWS_MATCHES(run(Tensor::scalar(1.0F), v), Error,
                       Message("[dot] Error in dot: inputs must all be rank 1 or 2, but got ranks 0 and 1."));
  CHECK_THROWS_MATCHES(
      run(noise({3}, 1), m), Error,
      Message("[dot] Error in dot: inner dimensions of inputs must match, but got 3 and 2."));
}

}  // namespace
}  // namespace tenure
