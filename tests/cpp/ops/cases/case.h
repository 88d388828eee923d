#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/activation.h"
#include "ops/ops.h"

/// Table of op cases: calls of every op, which drive the tests of values, gradients, empty tensors, failures
/// and the GPU.
namespace tenure::cases {

/// Recipe of an input: values spread over a range, or given values, repeated as often as the shape needs.
struct Input {
  TensorSpec spec{};
  float low = -1.5F;
  float high = 1.5F;
  std::vector<double> values{};
  std::vector<std::string_view> words{};
  bool is_missing = false;
  /// True if there is no gradient for this input, although the op has one.
  bool is_fixed = false;

  /// Returns a copy with values from `low` to `high`.
  Input within(float low, float high) const;
  Input fixed() const;
};

Input floats(const Shape& shape);
/// Returns an int32 input with values from -9 to 9.
Input ints(const Shape& shape);
Input bools(const Shape& shape);
Input complexes(const Shape& shape);
Input of_type(DType dtype, const Shape& shape);
Input given(const Shape& shape, std::vector<double> values, DType dtype = DType::kFloat32);
Input indices(const Shape& shape, std::vector<double> values);
Input words(const Shape& shape, std::vector<std::string_view> words);
Input missing();

/// Returns the tensor of an input, with `shape` instead of the input's shape. Inputs at another `place` get
/// other values. Up to a hundred elements are distinct.
Tensor make_tensor(const Input& input, int place, const Shape& shape);

/// Function that returns the expected elements of the first output in double, in row-major order.
using Reference = std::function<std::vector<double>(const Tensors& inputs)>;

struct Options {
  /// Allowed error of another backend's floats, relative to max(1, |value|).
  double tolerance = 1e-5;
  /// Reason why the gradient is not compared with finite differences; null if it is.
  const char* skip_gradients = nullptr;
  /// Reason why the gradient of the gradient is not compared; null if it is.
  const char* skip_second_order = nullptr;
  Reference reference{};
  /// Expected shape of the first output.
  std::optional<Shape> shape{};
  /// Allowed error against the reference, relative to max(`least`, |value|).
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
  /// True if the tensors have so few elements that a thousand calls are cheap.
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

/// Returns all cases. Those of elementwise ops are built from their rows, the others are in one file per
/// family.
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
void add_quantized(Table& table);
void add_reduce(Table& table);
void add_scatter(Table& table);
void add_sparse(Table& table);
void add_volume(Table& table);

Tensors make_inputs(const OpCase& c);
Tensors make_inputs(const OpCase& c, const std::vector<Shape>& shapes);
/// Runs the op and returns all of its outputs.
Tensors run_case(const OpCase& c, const Tensors& inputs);

/// Describes the first difference between two results; empty if there is none. Floats may differ by
/// `tolerance` times max(`least`, |value|).
std::string difference(const Tensor& got, const Tensor& expected, double tolerance);
std::string difference(const Tensor& got, const std::vector<double>& expected, double tolerance,
                       double least = 1);

}  // namespace tenure::cases
