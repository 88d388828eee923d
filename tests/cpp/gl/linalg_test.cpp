#include "core/dispatch.h"
#include "gl/fixture.h"

namespace tenure::gl {
namespace {

// Sums of products differ by their order.
constexpr double kTolerance = 1e-4;

Shape matrix(const Shape& batch, int rows, int columns, bool transpose) {
  Shape shape = batch;
  shape.push_back(transpose ? columns : rows);
  shape.push_back(transpose ? rows : columns);
  return shape;
}

void check_product(const Shape& batch_a, const Shape& batch_b, const std::array<int, 3>& sizes,
                   const MatMulAttrs& attrs = {}, const std::vector<Tensor>& bias = {},
                   DType dtype = DType::kFloat32) {
  const auto [rows, depth, columns] = sizes;
  std::vector<Tensor> inputs = {some_values(matrix(batch_a, rows, depth, attrs.transpose_a != 0), dtype),
                                some_values(matrix(batch_b, depth, columns, attrs.transpose_b != 0), dtype)};
  inputs.insert(inputs.end(), bias.begin(), bias.end());
  INFO(text("transpose ", attrs.transpose_a, attrs.transpose_b));
  expect_gl_equals_cpu(Op::mat_mul, inputs, AttrsView(attrs), kTolerance);
}

}  // namespace

TEST_CASE("Matrices are multiplied on the GPU", "[gl][mat_mul]") {
  const GlFixture gl;
  const int rows = GENERATE(1, 3, 8, 70);
  const int columns = GENERATE(1, 4, 7, 12, 40);
  const int depth = GENERATE(1, 4, 6, 24, 33, 256);
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      check_product({}, {}, {rows, depth, columns}, {.transpose_a = transpose_a, .transpose_b = transpose_b});
    }
  }
}

TEST_CASE("Large matrices are multiplied on the GPU", "[gl][mat_mul]") {
  const GlFixture gl;
  check_product({}, {}, {130, 520, 260});
  check_product({}, {}, {5, 520, 272}, {.activation = Activation::kTanh}, {some_values({272})});
  check_product({}, {}, {520, 260, 1}, {}, {some_values({1})});
  check_product({}, {}, {1, 3001, 1});
  check_product({}, {}, {1, 3001, 1}, {.transpose_a = true, .transpose_b = true}, {}, DType::kInt32);
  check_product({}, {}, {1, 3001, 1}, {.activation = Activation::kRelu}, {some_values({1})});
  check_product({}, {}, {61, 1027, 131}, {.transpose_a = true, .transpose_b = true});
}

TEST_CASE("Matrices on the CPU are multiplied on the GPU", "[gl][mat_mul]") {
  const GlFixture gl;
  const int depth = GENERATE(30, 32, 33);
  const bool transpose_a = GENERATE(false, true);
  const MatMulAttrs attrs = {.transpose_a = transpose_a};
  const Tensor x = some_values(matrix({}, 41, depth, transpose_a));
  const Tensor filter = on_device(some_values({depth, 50}));
  const Tensor got = run(Op::mat_mul, {&x, &filter}, AttrsView(attrs));
  CHECK(got.storage()->only_on_device());
  expect_equal(got, reference(Op::mat_mul, {x, on_cpu(filter)}, AttrsView(attrs)), kTolerance);
}

TEST_CASE("Batches of matrices broadcast on the GPU", "[gl][mat_mul]") {
  const GlFixture gl;
  const auto [a, b] = GENERATE(table<Shape, Shape>({{{3}, {3}},
                                                    {{3}, {}},
                                                    {{}, {3}},
                                                    {{3}, {1}},
                                                    {{1}, {3}},
                                                    {{1}, {1}},
                                                    {{2, 3}, {3}},
                                                    {{2, 1}, {1, 3}},
                                                    {{2, 1, 2, 1}, {3, 1, 2}}}));
  const auto [rows, depth, columns] =
      GENERATE(table<int, int, int>({{5, 8, 12}, {5, 7, 9}, {1, 8, 8}, {29, 64, 40}, {30, 33, 18}}));
  for (const bool transpose : {false, true}) {
    check_product(a, b, {rows, depth, columns}, {.transpose_a = transpose, .transpose_b = transpose},
                  {some_values({columns})});
  }
}

TEST_CASE("A product's bias is added and activated on the GPU", "[gl][mat_mul]") {
  const GlFixture gl;
  const int columns = GENERATE(10, 12);
  const Shape bias = GENERATE_COPY(values<Shape>(
      {{}, {1}, {columns}, {1, columns}, {9, 1}, {9, columns}, {3, 1, columns}, {3, 9, columns}}));
  const auto activation = static_cast<Activation>(GENERATE(range(0, kActivationCount)));
  check_product({3}, {}, {9, 8, columns}, {.activation = activation, .alpha = 0.3F}, {some_values(bias)});
}

TEST_CASE("Products of integers are exact on the GPU", "[gl][mat_mul]") {
  const GlFixture gl;
  const DType kInt = DType::kInt32;
  check_product({}, {}, {5, 9, 7}, {}, {some_values({7}, kInt)}, kInt);
  check_product({2}, {1}, {5, 8, 12}, {.transpose_a = true, .transpose_b = true}, {some_values({5, 1}, kInt)},
                kInt);
  const Tensor large = Tensor::from({16777217, 1, 2147483647, 1}, {2, 2});
  expect_gl_equals_cpu(Op::mat_mul, {large, large}, AttrsView(MatMulAttrs{}));
  expect_gl_equals_cpu(Op::mat_mul, {some_values({6, 4}, kInt), some_values({4, 4})},
                       AttrsView(MatMulAttrs{}), kTolerance);
}

TEST_CASE("A product over no depth is the bias", "[gl][mat_mul]") {
  const GlFixture gl;
  check_product({}, {}, {4, 0, 5}, {}, {some_values({5})});
  check_product({2}, {}, {4, 0, 8}, {}, {some_values({8})});
}

}  // namespace tenure::gl
