#include "ops/cases/elementwise.h"

#include <cmath>
#include <limits>

namespace tenure::cases {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Functions of the ops.def language for doubles.
namespace doubles {

using V = double;
constexpr double kInfinity = kInf;
using std::abs, std::sqrt, std::exp, std::expm1, std::log, std::log1p, std::sin, std::cos, std::tan,
    std::asin, std::acos, std::atan, std::sinh, std::cosh, std::tanh, std::asinh, std::acosh, std::atanh,
    std::erf, std::ceil, std::floor, std::atan2;
double select(bool test, double x, double y) { return test ? x : y; }
bool gt(double x, double y) { return x > y; }
bool ge(double x, double y) { return x >= y; }
bool lt(double x, double y) { return x < y; }
bool le(double x, double y) { return x <= y; }
bool eq(double x, double y) { return x == y; }
bool ne(double x, double y) { return x != y; }
bool is_nan(double x) { return x != x; }
// If either argument is NaN, both return the first.
double max(double x, double y) { return x < y ? y : x; }
double min(double x, double y) { return y < x ? y : x; }
double round_even(double x) { return std::nearbyint(x); }
double divide(double x, double y) { return x / y; }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double floor_mod(double x, double y) {
  const double remainder = std::fmod(x, y);
  return remainder != 0 && (remainder < 0) != (y < 0) ? remainder + y : remainder;
}
// Power as in JavaScript: NaN for a NaN exponent, and for 1 or -1 to an infinite power.
double pow(double x, double y) {
  return is_nan(y) || (std::abs(x) == 1 && std::isinf(y)) ? kNan : std::pow(x, y);
}

}  // namespace doubles

// Attributes that the rows' expressions are evaluated with.
template <class Attrs>
constexpr Attrs kAttrs{};
template <>
constexpr AlphaAttrs kAttrs<AlphaAttrs>{.alpha = 0.25F};
template <>
constexpr ClipAttrs kAttrs<ClipAttrs>{.min = -2, .max = 3};

#define VALUE(A, expression)                                         \
  [](double x, double y) -> double {                                 \
    using namespace doubles;                                         \
    [[maybe_unused]] constexpr const A##Attrs& p = kAttrs<A##Attrs>; \
    (void)x, (void)y;                                                \
    return expression;                                               \
  }
const ElementwiseRow kRows[] = {
#define UNARY(name, js, rule, A, expression, ...) \
  {Op::name, DTypeRule::rule, AttrsView(kAttrs<A##Attrs>), VALUE(A, (expression))},
#define BINARY(name, js, a, b, rule, expression, ...) \
  {Op::name, DTypeRule::rule, AttrsView(), VALUE(None, (expression))},
#define OTHER_ROWS(...)
#include "lists/ops.def"
};
#undef VALUE

const std::vector<double> kFloats = {0.0, -0.0, 0.5, -0.5, 1,       -1,       1.5,    2.5,  -2.5,  3.25,
                                     -7,  6,    20,  -90,  0x1p-20, -0x1p-20, 0x1p-7, kInf, -kInf, kNan};
const std::vector<double> kInts = {0, 1, -1, 2, -2, 3, 7, -7, 16777217, -16777219, 2147483647, -2147483648};
constexpr const char* kInDouble = "compared with the row's expression in double, elsewhere";

std::size_t offset_in(const Shape& shape, const Shape& whole, std::size_t at) {
  std::size_t result = 0;
  std::size_t step = 1;
  for (int i = 0; i < shape.rank; ++i) {
    const auto extent = static_cast<std::size_t>(whole.back(i));
    if (shape.back(i) != 1) result += at % extent * step;
    step *= static_cast<std::size_t>(shape.back(i));
    at /= extent;
  }
  return result;
}

double number_at(const Tensor& x, std::size_t i) {
  if (x.dtype() == DType::kInt32) return x.data<std::int32_t>()[i];
  return x.dtype() == DType::kBool ? x.data<std::uint8_t>()[i] : x.data<float>()[i];
}

Reference reference_of(const ElementwiseRow& row) {
  return [&row](const Tensors& in) {
    const Shape out = in.size() == 2 ? broadcast(in[0].shape(), in[1].shape()) : in[0].shape();
    std::vector<double> values;
    for (std::size_t i = 0; i < out.elements(); ++i) {
      const double x = number_at(in[0], offset_in(in[0].shape(), out, i));
      const double y = in.size() == 2 ? number_at(in[1], offset_in(in[1].shape(), out, i)) : 0;
      values.push_back(row.value(x, y));
    }
    return values;
  };
}

Input special_values(DTypeRule rule) {
  if (rule == DTypeRule::kLogical) return given({2}, {0, 1}, DType::kBool);
  return given({static_cast<std::int32_t>(kFloats.size())}, kFloats);
}

Input special_ints() { return given({static_cast<std::int32_t>(kInts.size())}, kInts, DType::kInt32); }

Input reshaped(Input input, const Shape& shape) {
  input.spec.shape = shape;
  return input;
}

void add_unary(Table& table, const ElementwiseRow& row) {
  // Attributes are passed as words, which are copied whatever their struct is.
  const auto add = [&](const Input& x, bool is_exact) {
    Options options{.tolerance = 2e-5, .skip_gradients = kInDouble, .least = 1e-30};
    // gelu adds 1 to an error function near -1, so its error is absolute. The error of gelu_new grows with
    // the large argument of its exponential.
    if (row.op == Op::gelu) options.least = 1;
    if (row.op == Op::gelu_new) options.exact = 2e-6;
    if (is_exact) options.reference = reference_of(row);
    table.add_words(row.op, {x}, row.attrs, options);
  };
  const DType dtype = row.rule == DTypeRule::kLogical ? DType::kBool : DType::kFloat32;
  add(special_values(row.rule), true);
  add(of_type(dtype, {33, 3}).within(-2, 2), true);
  add(of_type(dtype, {}), true);
  add(of_type(dtype, {0, 3}), true);
  if (row.rule == DTypeRule::kLogical) return;
  add(special_ints(), false);
  add(bools({7}), false);
}

void add_binary(Table& table, const ElementwiseRow& row) {
  const auto add = [&](const Input& x, const Input& y, bool is_exact) {
    Options options{.tolerance = 2e-5, .skip_gradients = kInDouble, .least = 1e-30};
    if (is_exact) options.reference = reference_of(row);
    table.add_words(row.op, {x, y}, row.attrs, options);
  };
  const Input all = special_values(row.rule);
  const DType dtype = all.spec.dtype;
  const std::int32_t count = all.spec.shape[0];
  add(reshaped(all, {count, 1}), all, true);
  for (const auto& [a, b] : std::initializer_list<std::pair<Shape, Shape>>{{{2, 3}, {2, 3}},
                                                                           {{7, 3}, {3}},
                                                                           {{}, {5}},
                                                                           {{7, 1}, {1, 9}},
                                                                           {{2, 1, 4}, {3, 1}},
                                                                           {{2, 0, 3}, {3}},
                                                                           {{0, 1}, {1, 4}}}) {
    add(of_type(dtype, a).within(-2, 2), of_type(dtype, b).within(-2, 2), true);
  }
  if (row.rule == DTypeRule::kLogical) return;
  add(bools({6}), floats({6}), false);
  if (row.rule == DTypeRule::kFloat) return;
  const auto ints = static_cast<std::int32_t>(kInts.size());
  add(reshaped(special_ints(), {ints, 1}), special_ints(), false);
}

/// Adds all kinds of broadcasting for a few ops only, since all ops share the code.
void add_broadcast(Table& table) {
  const auto row_of = [](Op op) -> const ElementwiseRow& { return kRows[static_cast<std::size_t>(op)]; };
  for (const auto& [a, b] : std::initializer_list<std::pair<Shape, Shape>>{
           {{}, {}},
           {{5}, {}},
           {{1}, {1, 1}},
           {{7, 8}, {8}},
           {{8}, {7, 8}},
           {{7, 8}, {1, 8}},
           {{5, 7, 8}, {7, 8}},
           {{7, 1}, {1, 8}},
           {{37, 41}, {41}},
           {{41, 37, 2}, {2}},
           {{64, 1}, {64, 32}},
           {{2, 37, 19}, {2, 1, 19}},
           {{2, 3, 4}, {2, 1, 4}},
           {{2, 3, 4}, {3, 1}},
           {{2, 1, 3, 1, 5}, {4, 1, 2, 1}},
           {{300, 1, 3}, {300, 2, 1}},
           {{1000, 3}, {1, 3}},
           {{2, 1, 3, 1, 2, 1, 2}, {1, 2, 1, 2, 1, 2, 1}},
       }) {
    const auto add = [&](Op op, DType dtype) {
      const ElementwiseRow& row = row_of(op);
      table.add(op, {of_type(dtype, a).within(-2, 2), of_type(dtype, b).within(-2, 2)}, NoneAttrs{},
                {.skip_gradients = kInDouble, .reference = reference_of(row)});
    };
    add(Op::sub, DType::kFloat32);
    add(Op::mul, DType::kInt32);
    add(Op::less, DType::kFloat32);
  }
}

constexpr double kStep = 1e-4;

/// Returns the central difference along (dx, dy) with steps of size `step`.
double slope(const ElementwiseRow& row, double x, double y, double dx, double dy, double step) {
  return (row.value(x + step * dx, y + step * dy) - row.value(x - step * dx, y - step * dy)) / (2 * step);
}

bool is_smooth(const ElementwiseRow& row, double x, double y, double dx, double dy) {
  const double near = slope(row, x, y, dx, dy, kStep);
  const double far = slope(row, x, y, dx, dy, 20 * kStep);
  const double right = (row.value(x + kStep * dx, y + kStep * dy) - row.value(x, y)) / kStep;
  const double scale = 1 + std::abs(near);
  return std::abs(near - far) <= 1e-3 * scale && std::abs(near - right) <= 1e-2 * scale;
}

}  // namespace

std::span<const ElementwiseRow> elementwise_rows() { return kRows; }

std::vector<SmoothPoint> smooth_points(const ElementwiseRow& row) {
  const std::vector<double> grid = {-2.61, -1.37, -0.81, -0.62, -0.35, 0.17, 0.35,
                                    0.62,  0.81,  1.13,  1.37,  1.71,  2.13, 2.61};
  std::vector<SmoothPoint> points;
  for (const double a : grid) {
    for (const double b : row.is_binary() ? grid : std::vector<double>{0}) {
      // Rounded to float, as the ops take them.
      const double x = static_cast<float>(a);
      const double y = static_cast<float>(b);
      // Ties are not smooth, even if both difference quotients agree there.
      const bool is_tie = row.is_binary() && std::abs(x) == std::abs(y);
      if (is_tie || !is_smooth(row, x, y, 1, 0) || (row.is_binary() && !is_smooth(row, x, y, 0, 1))) continue;
      SmoothPoint p{.x = x, .y = y};
      p.first[0] = slope(row, x, y, 1, 0, kStep);
      p.first[1] = slope(row, x, y, 0, 1, kStep);
      const auto bend = [&](double dx, double dy) {
        return (row.value(x + kStep * dx, y + kStep * dy) - 2 * row.value(x, y) +
                row.value(x - kStep * dx, y - kStep * dy)) /
               (kStep * kStep);
      };
      p.second[0] = bend(1, 0);
      p.second[2] = bend(0, 1);
      p.second[1] = (bend(1, 1) - p.second[0] - p.second[2]) / 2;
      points.push_back(p);
    }
  }
  return points;
}

void add_elementwise(Table& table) {
  for (const ElementwiseRow& row : kRows) row.is_binary() ? add_binary(table, row) : add_unary(table, row);
  add_broadcast(table);
}

}  // namespace tenure::cases
