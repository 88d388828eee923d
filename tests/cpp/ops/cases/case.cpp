#include "ops/cases/case.h"

#include <cmath>

#include "core/strings.h"

namespace tenure::cases {
namespace {

/// Returns a number in [0, 1]. Up to 101 of them are distinct and evenly spread; more of them repeat after
/// some thousand.
double spread(std::size_t i, int place, std::size_t count) {
  const auto offset = static_cast<std::size_t>(place) * 29;
  if (count <= 101) return static_cast<double>((i * 37 + 11 + offset) % 101) / 100;
  return static_cast<double>((i * 2654435761U + offset) % 4093) / 4092;
}

double value_of(const Input& input, std::size_t i, int place, std::size_t count) {
  if (!input.values.empty()) return input.values[i % input.values.size()];
  const double at = spread(i, place, count);
  switch (input.spec.dtype) {
    case DType::kInt32: return std::floor(at * 18.99) - 9;
    case DType::kBool: return static_cast<std::size_t>(at * 4092) % 3 == 0;
    // Offset, so that no value is 0, where many functions have a corner.
    default: return double{input.low} + (double{input.high} - input.low) * (at + 0.003);
  }
}

double number_at(const Tensor& x, std::size_t i) {
  switch (x.dtype()) {
    case DType::kInt32: return x.data<std::int32_t>()[i];
    case DType::kBool: return x.data<std::uint8_t>()[i];
    default: return x.data<float>()[i];
  }
}

bool is_near(double got, double expected, double tolerance, double least = 1) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  return got == expected || std::abs(got - expected) <= tolerance * std::max(least, std::abs(expected));
}

}  // namespace

Input Input::within(float least, float most) const {
  Input other = *this;
  other.low = least;
  other.high = most;
  return other;
}

Input Input::fixed() const {
  Input other = *this;
  other.is_fixed = true;
  return other;
}

Input of_type(DType dtype, const Shape& shape) { return {.spec = {shape, dtype}}; }
Input floats(const Shape& shape) { return of_type(DType::kFloat32, shape); }
Input ints(const Shape& shape) { return of_type(DType::kInt32, shape); }
Input bools(const Shape& shape) { return of_type(DType::kBool, shape); }
Input complexes(const Shape& shape) { return of_type(DType::kComplex64, shape); }
Input given(const Shape& shape, std::vector<double> values, DType dtype) {
  return {.spec = {shape, dtype}, .values = std::move(values)};
}
Input indices(const Shape& shape, std::vector<double> values) {
  return given(shape, std::move(values), DType::kInt32);
}
Input words(const Shape& shape, std::vector<std::string_view> words) {
  return {.spec = {shape, DType::kString}, .words = std::move(words)};
}
Input missing() { return {.is_missing = true}; }

Tensor make_tensor(const Input& input, int place, const Shape& shape) {
  if (input.is_missing) return {};
  const std::size_t count = shape.elements();
  if (input.spec.dtype == DType::kString) {
    std::vector<std::string_view> list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(input.words[i % input.words.size()]);
    return make_string_tensor(list, shape);
  }
  Tensor x(TensorSpec{shape, input.spec.dtype});
  const std::size_t numbers = input.spec.dtype == DType::kComplex64 ? 2 * count : count;
  for (std::size_t i = 0; i < numbers; ++i) {
    const double value = value_of(input, i, place, numbers);
    switch (input.spec.dtype) {
      case DType::kInt32: x.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(value); break;
      case DType::kBool: x.mutable_data<std::uint8_t>()[i] = value != 0; break;
      default: x.mutable_data<float>()[i] = static_cast<float>(value);
    }
  }
  return x;
}

std::vector<Shape> OpCase::shapes() const {
  std::vector<Shape> list;
  for (const Input& input : inputs) list.push_back(input.spec.shape);
  return list;
}

bool OpCase::is_small() const {
  std::size_t elements = 0;
  for (const Input& input : inputs) elements += input.is_missing ? 0 : input.spec.shape.elements();
  return elements <= 101;
}

std::string OpCase::label() const {
  std::string label(op_def(op).name);
  for (const Input& input : inputs) {
    label +=
        input.is_missing ? std::string(" none") : text(" ", input.spec.shape, get_name(input.spec.dtype));
  }
  for (const std::int32_t word : words) label += text(" ", word);
  return label;
}

const std::vector<OpCase>& all_cases() {
  static const Table kTable = [] {
    Table table;
    for (const auto add :
         {add_elementwise, add_complex, add_conv, add_create, add_images, add_joins, add_linalg, add_losses,
          add_moves, add_pool, add_quantized, add_reduce, add_scatter, add_sparse, add_volume}) {
      add(table);
    }
    return table;
  }();
  return kTable.cases();
}

Tensors make_inputs(const OpCase& c, const std::vector<Shape>& shapes) {
  Tensors inputs;
  for (std::size_t i = 0; i < c.inputs.size(); ++i) {
    inputs.push_back(make_tensor(c.inputs[i], static_cast<int>(i), shapes[i]));
  }
  return inputs;
}

Tensors make_inputs(const OpCase& c) { return make_inputs(c, c.shapes()); }

Tensors run_case(const OpCase& c, const Tensors& inputs) {
  return run_all(c.op, TensorList(inputs), c.attrs());
}

std::string difference(const Tensor& got, const Tensor& expected, double tolerance) {
  if (got.spec() != expected.spec()) {
    return text("expected ", expected.shape(), " ", get_name(expected.dtype()), ", got ", got.shape(), " ",
                get_name(got.dtype()));
  }
  const bool is_pair = got.dtype() == DType::kComplex64;
  const std::size_t count = got.elements() * (is_pair ? 2 : 1);
  if (got.dtype() == DType::kString) {
    const Strings a(got);
    const Strings b(expected);
    for (std::size_t i = 0; i < count; ++i)
      if (a[i] != b[i]) return text("element ", i, ": expected ", b[i], ", got ", a[i]);
    return {};
  }
  for (std::size_t i = 0; i < count; ++i) {
    const double a = number_at(got, i);
    const double b = number_at(expected, i);
    const bool is_whole = got.dtype() == DType::kInt32 || got.dtype() == DType::kBool;
    if (!is_near(a, b, is_whole ? 0 : tolerance)) return text("element ", i, ": expected ", b, ", got ", a);
  }
  return {};
}

std::string difference(const Tensor& got, const std::vector<double>& expected, double tolerance,
                       double least) {
  if (got.elements() != expected.size()) {
    return text("expected ", expected.size(), " elements, got shape ", got.shape());
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    // A value beyond the range of float is infinite.
    const double wanted =
        got.dtype() == DType::kFloat32 ? double{static_cast<float>(expected[i])} : expected[i];
    const double value = number_at(got, i);
    if (!is_near(value, wanted, tolerance, least))
      return text("element ", i, ": expected ", wanted, ", got ", value);
  }
  return {};
}

}  // namespace tenure::cases
