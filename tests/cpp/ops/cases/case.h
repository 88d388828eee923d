#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/activation.h"
#include "ops/ops.h"

/// The one table of op cases: calls of every op, which drive the tests of its values, of its gradient, of
/// empty tensors, of failures, and of the GPU.
namespace tenure::cases {

/// How an input is made: values spread over a range, or given ones, repeated as often as the shape needs.
struct Input {
  TensorSpec spec{};
  float low = -1.5F;
  float high = 1.5F;
  std::vector<double> values{};
  std::vector<std::string_view> words{};
  bool is_missing = false;
  /// No slope is asked for: the op has a gradient, but not for this input.
  bool is_fixed = false;

  /// The same with values from `low` to `high`.
  Input within(float low, float high) const;
  Input fixed() const;
};

Input floats(const Shape& shape);
/// From -9 to 9.
Input ints(const Shape& shape);
Input bools(const Shape& shape);
Input complexes(const Shape& shape);
Input of_type(DType dtype, const Shape& shape);
Input given(const Shape& shape, std::vector<double> values, DType dtype = DType::kFloat32);
Input indices(const Shape& shape, std::vector<double> values);
Input words(const Shape& shape, std::vector<std::string_view> words);
Input missing();

/// The tensor of an input that stands at `place` among others, which have other values; in `shape` instead of
/// its own. No two elements of up to a hundred are alike.
Tensor made(const Input& input, int place, const Shape& shape);

/// What the first output's elements are, in double; in row-major order.
using Reference = std::function<std::vector<double>(const Tensors& inputs)>;

struct Options {
  /// Of floats, relative to the larger of 1 and the value: how far another backend may be off.
  double tolerance = 1e-5;
  /// Why the gradient is not compared with small steps.
  const char* no_slopes = nullptr;
  /// Why that of the gradient is not.
  const char* no_second = nullptr;
  Reference reference{};
  /// The first output's.
  std::optional<Shape> shape{};
  /// How far values may be off the reference, relative to the larger of `least` and the value.
  double exact = 1e-6;
  double least = 1;
};

/// A call of an op.
struct OpCase {
  Op op;
  std::vector<Input> inputs;
  std::vector<std::int32_t> words;
  Options options;

  AttrsView attrs() const { return AttrsView(std::span<const std::int32_t>(words)); }
  std::vector<Shape> shapes() const;
  /// Of few elements, so that it is cheap to call a thousand times.
  bool is_small() const;
  std::string label() const;
};

class Table {
 public:
  template <class Attrs = NoneAttrs>
  void add(Op op, std::vector<Input> inputs, const Attrs& attrs = {}, Options options = {}) {
    add_words(op, std::move(inputs), AttrsView(attrs), std::move(options));
  }
  void add_words(Op op, std::vector<Input> inputs, AttrsView attrs, Options options) {
    const std::span<const std::int32_t> words = attrs.words();
    cases_.push_back({op, std::move(inputs), {words.begin(), words.end()}, std::move(options)});
  }
  const std::vector<OpCase>& cases() const { return cases_; }

 private:
  std::vector<OpCase> cases_;
};

/// All cases: those of elementwise ops are made from their rows, the others stand in a file for each family.
const std::vector<OpCase>& all_cases();

void add_elementwise(Table& table);
void add_complex(Table& table);
void add_conv(Table& table);
void add_create(Table& table);
void add_images(Table& table);
void add_joins(Table& table);
void add_linalg(Table& table);
void add_losses(Table& table);
void add_moves(Table& table);
void add_pool(Table& table);
void add_reduce(Table& table);
void add_scatter(Table& table);
void add_sparse(Table& table);
void add_volume(Table& table);

Tensors inputs_of(const OpCase& c);
Tensors inputs_of(const OpCase& c, const std::vector<Shape>& shapes);
/// All outputs of the op.
Tensors outputs_of(const OpCase& c, const Tensors& inputs);

/// Where two results differ, in words; empty where they do not. Floats may be `tolerance` times the larger of
/// `least` and the value off.
std::string difference(const Tensor& got, const Tensor& expected, double tolerance);
std::string difference(const Tensor& got, const std::vector<double>& expected, double tolerance,
                       double least = 1);

}  // namespace tenure::cases
