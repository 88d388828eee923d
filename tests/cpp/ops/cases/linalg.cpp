#include "ops/cases/case.h"

namespace tenure::cases {
namespace {

// Sums of products depend on the order of summation.
constexpr double kTolerance = 1e-4;

Shape matrix(const Shape& batch, int rows, int columns, bool transpose) {
  Shape shape = batch;
  shape.push_back(transpose ? columns : rows);
  shape.push_back(transpose ? rows : columns);
  return shape;
}

struct Sizes {
  int rows;
  int depth;
  int columns;
};

void add_product(Table& table, const Shape& batch_a, const Shape& batch_b, const Sizes& sizes,
                 const MatMulAttrs& attrs = {}, const std::vector<Input>& bias = {},
                 DType dtype = DType::kFloat32) {
  std::vector<Input> inputs = {
      of_type(dtype, matrix(batch_a, sizes.rows, sizes.depth, attrs.transpose_a != 0)).within(-2, 2),
      of_type(dtype, matrix(batch_b, sizes.depth, sizes.columns, attrs.transpose_b != 0)).within(-2, 2)};
  inputs.insert(inputs.end(), bias.begin(), bias.end());
  table.add(Op::mat_mul, inputs, attrs, {.tolerance = kTolerance});
}

void add_sizes(Table& table) {
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      const MatMulAttrs attrs = {.transpose_a = transpose_a, .transpose_b = transpose_b};
      for (const int rows : {1, 3, 8, 70}) {
        for (const int columns : {1, 4, 7, 12, 40}) {
          for (const int depth : {1, 4, 6, 24, 33, 256})
            add_product(table, {}, {}, {rows, depth, columns}, attrs);
        }
      }
      add_product(table, {2}, {}, {3, 2, 4}, attrs, {floats({4})});
    }
  }
  add_product(table, {}, {}, {130, 520, 260});
  add_product(table, {}, {}, {5, 520, 272}, {.activation = Activation::kTanh}, {floats({272})});
  add_product(table, {}, {}, {520, 260, 1}, {}, {floats({1})});
  add_product(table, {}, {}, {1, 3001, 1});
  add_product(table, {}, {}, {1, 3001, 1}, {.transpose_a = true, .transpose_b = true}, {}, DType::kInt32);
  add_product(table, {}, {}, {1, 3001, 1}, {.activation = Activation::kRelu}, {floats({1})});
  add_product(table, {}, {}, {61, 1027, 131}, {.transpose_a = true, .transpose_b = true});
  add_product(table, {}, {}, {4, 0, 5}, {}, {floats({5})});
  add_product(table, {2}, {}, {4, 0, 8}, {}, {floats({8})});
}

void add_batches(Table& table) {
  for (const auto& [a, b] : std::initializer_list<std::pair<Shape, Shape>>{{{3}, {3}},
                                                                           {{3}, {}},
                                                                           {{}, {3}},
                                                                           {{3}, {1}},
                                                                           {{1}, {3}},
                                                                           {{1}, {1}},
                                                                           {{2, 3}, {3}},
                                                                           {{2, 1}, {1, 3}},
                                                                           {{2, 1, 2, 1}, {3, 1, 2}}}) {
    for (const Sizes& sizes : {Sizes{2, 2, 3}, Sizes{5, 8, 12}, Sizes{5, 7, 9}, Sizes{1, 8, 8},
                               Sizes{29, 64, 40}, Sizes{30, 33, 18}}) {
      for (const bool transpose : {false, true}) {
        add_product(table, a, b, sizes, {.transpose_a = transpose, .transpose_b = transpose},
                    {floats({sizes.columns})});
      }
    }
  }
}

void add_biases(Table& table) {
  for (const int columns : {3, 10, 12}) {
    for (const Shape& bias : std::initializer_list<Shape>{
             {}, {1}, {columns}, {1, columns}, {9, 1}, {9, columns}, {3, 1, columns}, {3, 9, columns}}) {
      for (int activation = 0; activation < kActivationCount; ++activation) {
        add_product(table, {3}, {}, {9, 8, columns},
                    {.activation = static_cast<Activation>(activation), .alpha = 0.3F}, {floats(bias)});
      }
    }
  }
  for (int activation = 0; activation < kActivationCount; ++activation) {
    add_product(table, {}, {}, {2, 3, 4}, {.activation = static_cast<Activation>(activation), .alpha = 0.3F},
                {floats({4})});
  }
}

void add_integers(Table& table) {
  const DType kInt = DType::kInt32;
  add_product(table, {}, {}, {5, 9, 7}, {}, {ints({7})}, kInt);
  add_product(table, {2}, {1}, {5, 8, 12}, {.transpose_a = true, .transpose_b = true}, {ints({5, 1})}, kInt);
  const Input large = given({2, 2}, {16777217, 1, 2147483647, 1}, kInt);
  table.add(Op::mat_mul, {large, large}, MatMulAttrs{});
  table.add(Op::mat_mul, {ints({6, 4}), floats({4, 4})}, MatMulAttrs{}, {.tolerance = kTolerance});
}

void add_composed(Table& table) {
  for (const auto& [a, b] : std::initializer_list<std::pair<Shape, Shape>>{
           {{3}, {3}}, {{2, 3}, {3}}, {{3}, {3, 2}}, {{2, 3}, {3, 2}}}) {
    table.add(Op::dot, {floats(a), floats(b)});
    table.add(Op::dot, {ints(a), bools(b)});
  }
  table.add(Op::outer_product, {floats({3}), floats({4})});
  table.add(Op::outer_product, {ints({3}), bools({2})});
  table.add(Op::einsum, {floats({2, 2, 3}), floats({2, 3, 2, 2})},
            EinsumAttrs{.a = {'i', 'b', 'j'}, .b = {'b', 'j', 'k', 'l'}, .out = {'k', 'b', 'i'}});
  table.add(Op::einsum, {floats({2, 3}), floats({2, 3})},
            EinsumAttrs{.a = {'i', 'j'}, .b = {'i', 'j'}, .out = {}});
  table.add(Op::einsum, {floats({2}), floats({3})}, EinsumAttrs{.a = {'i'}, .b = {'j'}, .out = {'j', 'i'}});
  table.add(Op::einsum, {floats({2, 3, 2})}, EinsumAttrs{.a = {'i', 'j', 'k'}, .out = {'k', 'i'}});
  table.add(Op::einsum, {ints({2, 3}), bools({3, 2})},
            EinsumAttrs{.a = {'i', 'j'}, .b = {'j', 'k'}, .out = {'i', 'k'}});
  for (const auto& [lower, upper] : {std::pair{1, 0}, {0, 1}, {-1, 0}, {-1, -1}, {5, 5}}) {
    const Input below = given({}, {static_cast<double>(lower)}, DType::kInt32);
    const Input above = given({}, {static_cast<double>(upper)}, DType::kInt32);
    table.add(Op::band_part, {floats({2, 3, 4}), below, above});
    table.add(Op::band_part, {ints({3, 3}), below, above});
  }
  table.add(Op::gram_schmidt, {floats({2, 3}).within(-2, 2)});
  table.add(Op::gram_schmidt, {floats({3, 3}).within(-2, 2)}, NoneAttrs{}, {.tolerance = kTolerance});
  for (const Shape& shape :
       {Shape{3, 2}, Shape{2, 2, 2}, Shape{2, 3}, Shape{1, 1}, Shape{0, 3, 2}, Shape{3, 0}}) {
    for (const bool full : {false, true}) {
      // If x has more rows than columns, it does not determine the last columns of Q.
      const bool is_free = full && shape.back(1) > shape.back();
      table.add(
          Op::qr, {floats(shape).within(-2, 2)}, QrAttrs{full},
          {.tolerance = kTolerance, .skip_gradients = is_free ? "columns of Q that x leaves free" : nullptr});
    }
  }
}

}  // namespace

void add_linalg(Table& table) {
  add_sizes(table);
  add_batches(table);
  add_biases(table);
  add_integers(table);
  add_composed(table);
}

}  // namespace tenure::cases
