#include "cpu/gemm/epilogue.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "catch.h"

namespace tenure::cpu::gemm {
namespace {

/// Returns the index of an element of a row-major matrix.
std::size_t find_index(int row, int columns, int column) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
}

/// A product of integers, whose sums are exact, and the operands of every epilogue.
struct Product {
  Product(int rows_of_a, int depth_of_a, int columns_of_b)
      : rows(rows_of_a), depth(depth_of_a), columns(columns_of_b) {
    const auto fill = [](std::vector<float>& values, int count, int period) {
      // Vectors may be read 16 bytes past their end.
      values.resize(static_cast<std::size_t>(count) + 4);
      for (int i = 0; i < count; ++i)
        values[static_cast<std::size_t>(i)] = static_cast<float>(i % period - 3);
    };
    fill(a, rows * depth, 7);
    fill(b, depth * columns, 5);
    fill(bias, columns, 9);
    fill(slopes, columns, 4);
    fill(scale, columns, 3);
    fill(residual, rows * columns, 11);
    out.resize(residual.size());
  }

  float expected(int r, int c, const Epilogue& epilogue) const {
    const auto column = static_cast<std::size_t>(c);
    float sum = 0;
    for (int k = 0; k < depth; ++k) {
      sum += a[find_index(r, depth, k)] * b[find_index(k, columns, c)];
    }
    if (epilogue.scale) sum *= scale[column];
    if (epilogue.bias) sum += bias[column];
    if (epilogue.residual) sum += residual[find_index(r, columns, c)];
    if (epilogue.slopes && sum < 0) sum *= slopes[column];
    const Clamp clamp = get_clamp(epilogue.activation);
    return std::min(std::max(sum, clamp.low), clamp.high);
  }
  void check(const Epilogue& epilogue) const {
    int wrong = 0;
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        const float value = out[find_index(r, columns, c)];
        if (value != expected(r, c, epilogue)) ++wrong;
      }
    }
    CHECK(wrong == 0);
  }

  int rows;
  int depth;
  int columns;
  std::vector<float> a, b, bias, slopes, scale, residual, out;
};

TEST_CASE("All kernels apply bias, residual, clamp, PReLU and scale", "[gemm]") {
  // Few and many rows, columns that fill no panel, and a depth of several K blocks.
  const int rows = GENERATE(1, 2, 6, 13);
  const int depth = GENERATE(5, 40, 1100);
  const int columns = GENERATE(1, 3, 4, 9, 16, 37, 131);
  Product p(rows, depth, columns);
  const auto width = static_cast<std::size_t>(columns);
  const auto length = static_cast<std::size_t>(depth);
  const Epilogue bias = {.bias = p.bias.data(), .activation = Activation::kRelu6};
  const Epilogue residual = {.bias = p.bias.data(),
                             .activation = Activation::kRelu,
                             .result = p.out.data(),
                             .residual = p.residual.data()};
  Epilogue slopes = residual;
  slopes.activation = Activation::kLinear;
  slopes.slopes = p.slopes.data();
  Epilogue scaled = slopes;
  scaled.scale = p.scale.data();

  const PackedB packed = pack(p.b.data(), depth, columns, width, false);
  for (const Epilogue& epilogue : {Epilogue(), bias, residual, slopes, scaled}) {
    multiply(p.a.data(), length, rows, depth, packed.panels(), p.out.data(), width, epilogue);
    p.check(epilogue);
    if (epilogue.scale) continue;
    multiply(p.a.data(), length, rows, depth, Panels::plain(p.b.data(), columns, width), p.out.data(), width,
             epilogue);
    p.check(epilogue);
  }
}

TEST_CASE("Dot products and products with a vector apply bias, clamp and present values", "[gemm]") {
  const int rows = GENERATE(1, 3, 8);
  const int columns = GENERATE(1, 2, 4, 7);
  constexpr int kDepth = 21;
  Product p(rows, kDepth, columns);
  std::vector<float> transposed(p.b.size());
  for (int k = 0; k < kDepth; ++k) {
    for (int c = 0; c < columns; ++c) transposed[find_index(c, kDepth, k)] = p.b[find_index(k, columns, c)];
  }
  const Epilogue bias = {.bias = p.bias.data(), .activation = Activation::kRelu};
  const auto run = [&](const Epilogue& epilogue) {
    multiply_nt_dots(p.a.data(), kDepth, rows, kDepth, transposed.data(), kDepth, columns, p.out.data(),
                     static_cast<std::size_t>(columns), epilogue);
  };
  run(bias);
  p.check(bias);
  p.out = p.residual;
  run({.accumulate = true});
  p.check({.residual = p.residual.data()});

  // The bias of a product with a vector is a single value.
  Product vector(rows, kDepth, 1);
  multiply_vector(vector.a.data(), kDepth, rows, kDepth, vector.b.data(), 1, vector.out.data(),
                  {.bias = vector.bias.data(), .activation = Activation::kRelu});
  vector.check({.bias = vector.bias.data(), .activation = Activation::kRelu});
}

}  // namespace
}  // namespace tenure::cpu::gemm
