#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/cases/case.h"
#include "ops/moves.h"

namespace tenure::cases {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double identity_of(Op op) {
  return op == Op::prod || op == Op::all ? 1 : op == Op::max ? -kInf : op == Op::min ? kInf : 0;
}

double combined(Op op, double a, double b) {
  switch (op) {
    case Op::prod: return a * b;
    case Op::any:
    case Op::max: return std::isnan(a) || std::isnan(b) ? kNan : std::max(a, b);
    case Op::all:
    case Op::min: return std::isnan(a) || std::isnan(b) ? kNan : std::min(a, b);
    default: return a + b;
  }
}

/// Returns a reference that computes one element at a time.
Reference reduced(Op op, const Dims& axes) {
  return [=](const Tensors& in) {
    const Tensor& x = in[0];
    const Dims over = normalize_axes(axes, x.rank());
    Shape out;
    for (int i = 0; i < x.rank(); ++i) out.push_back(over.contains(i) ? 1 : x.dim(i));
    std::vector<double> values(out.elements(), identity_of(op));
    moves::for_each_index(x.shape(), [&](const Dims& index, std::size_t position) {
      Dims to = index;
      for (const int axis : over) to[axis] = 0;
      double& value = values[moves::position_of(out, to)];
      value = combined(op, value, moves::number_at(x, position));
    });
    const double count = static_cast<double>(x.elements()) / static_cast<double>(values.size());
    if (op == Op::mean)
      for (double& value : values) value /= count;
    return values;
  };
}

struct Axes {
  Shape shape;
  Dims axes;
};

const std::vector<Axes> kReductions = {
    {{}, {}},
    {{1}, {0}},
    {{7}, {}},
    {{100}, {-1}},
    {{1031}, {}},
    {{3, 5}, {0}},
    {{3, 5}, {1}},
    {{3, 5}, {}},
    {{4, 8}, {0}},
    {{4, 8}, {1}},
    {{40, 3}, {0}},
    {{67, 33}, {0}},
    {{6, 5, 3}, {1}},
    {{2, 9, 3}, {0, 2}},
    {{2, 9, 3}, {2, 0, 2}},
    {{2, 49, 8}, {1}},
    {{2, 7, 7, 6}, {1, 2}},
    {{4, 6, 5, 3}, {0, 1, 2}},
    {{4, 6, 5, 3}, {0, 2}},
    {{4, 6, 5, 3}, {1, 3}},
    {{4, 1, 5, 1}, {1, 3}},
    {{2, 3, 2, 3, 2, 3}, {0, 2, 4}},
    {{2, 3, 2, 3, 2, 3}, {1, 3, 5}},
    {{2, 3, 4, 5, 2, 4}, {1, 3}},
    {{700, 3}, {0}},
    {{1000, 6}, {0}},
    {{300, 64}, {0}},
    {{2, 1024, 4}, {1}},
    {{3, 1024, 3}, {1}},
    {{3, 2100}, {0}},
    {{5, 1001}, {1}},
    {{5, 2048}, {1}},
    {{5, 1100}, {1}},
    {{1021, 5}, {0}},
    {{100003}, {0}},
    {{257, 1030}, {}},
    {{0}, {}},
    {{0, 3}, {0}},
    {{0, 3}, {1}},
    {{2, 0, 3}, {0, 2}},
    {{2, 0, 3, 0}, {1, 3}},
};

Shape left_of(const Axes& c, bool keeps_dims) {
  const Dims over = normalize_axes(c.axes, c.shape.rank);
  Shape left;
  for (int i = 0; i < c.shape.rank; ++i) {
    if (!over.contains(i)) left.push_back(c.shape[i]);
    if (over.contains(i) && keeps_dims) left.push_back(1);
  }
  return left;
}

void add_sums(Table& table) {
  for (const Axes& c : kReductions) {
    for (const Op op : {Op::sum, Op::mean, Op::max, Op::min}) {
      // The values of long sums cancel out, so the error is relative to the sum of their magnitudes.
      const double many = op == Op::sum ? 1e-6 * static_cast<double>(c.shape.elements()) : 0;
      const ReduceAttrs attrs{c.axes, static_cast<std::int32_t>(c.shape.elements() % 2)};
      const bool is_nothing = c.shape.elements() == 0;
      for (const DType dtype : moves::kDTypes) {
        Options options{.tolerance = many + 1e-5, .exact = many + 1e-6};
        // Integers have no infinity, which is the reference's maximum or minimum of no elements.
        if (dtype == DType::kFloat32 || !is_nothing || op == Op::sum) options.reference = reduced(op, c.axes);
        options.shape = left_of(c, attrs.keep_dims != 0);
        table.add(op, {of_type(dtype, c.shape).within(-2, 2)}, attrs, options);
      }
    }
    for (const Op op : {Op::any, Op::all}) {
      table.add(op, {bools(c.shape)}, ReduceAttrs{c.axes, false}, {.reference = reduced(op, c.axes)});
      table.add(op, {given(c.shape, {op == Op::all ? 1.0 : 0.0}, DType::kBool)}, ReduceAttrs{c.axes, true},
                {.reference = reduced(op, c.axes)});
    }
    if (c.shape.elements() > 64) continue;
    for (const DType dtype : moves::kDTypes) {
      Options options{.exact = 1e-5};
      if (dtype != DType::kInt32) options.reference = reduced(Op::prod, c.axes);
      table.add(Op::prod, {of_type(dtype, c.shape).within(-1.9F, 1.9F)}, ReduceAttrs{c.axes, true}, options);
    }
  }
  table.add(Op::prod, {given({4}, {0.5, 0, 2, 0})}, ReduceAttrs{});
  table.add(Op::prod, {given({3, 2}, {0.5, 0, 2, 0.3, -1, 0.7})}, ReduceAttrs{{0}, false});
  const Input wide = given({5}, {2147483647, 16777217, 5, -3, 1000000007}, DType::kInt32);
  const Input spoiled =
      given({6, 3}, {kNan, 1, 2, 3, kNan, -1, 5, 6, kNan, kInf, 1, -5, -kInf, 0, -kInf, 7, 7, 7});
  for (const Op op : {Op::sum, Op::max, Op::min, Op::mean}) {
    if (op != Op::mean) table.add(op, {wide}, ReduceAttrs{});
    for (const Dims& axes : {Dims{0}, Dims{1}, Dims{}})
      table.add(op, {spoiled}, ReduceAttrs{axes, false},
                {.skip_gradients = "not finite", .reference = reduced(op, axes)});
  }
  for (const Op op : {Op::max, Op::min}) {
    for (const std::size_t at : {0U, 20000U, 39999U}) {
      std::vector<double> values(40000);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 4093) / 1023 - 2;
      values[at] = kNan;
      table.add(op, {given({40000}, values)}, ReduceAttrs{}, {.reference = reduced(op, {})});
    }
  }
}

Reference first_of(Op op, int given_axis) {
  return [=](const Tensors& in) {
    const Tensor& x = in[0];
    const int axis = normalize_axis(given_axis, x.rank());
    const std::size_t inner = x.shape().elements(axis + 1, x.rank());
    const auto extent = static_cast<std::size_t>(x.dim(axis));
    std::vector<double> places;
    for (std::size_t i = 0; i < x.shape().elements(0, axis) * inner; ++i) {
      const auto at = [&](std::size_t j) {
        return moves::number_at(x, i / inner * extent * inner + j * inner + i % inner);
      };
      std::size_t best = 0;
      for (std::size_t j = 1; j < extent; ++j)
        if (op == Op::arg_max ? at(j) > at(best) : at(j) < at(best)) best = j;
      places.push_back(static_cast<double>(best));
    }
    return places;
  };
}

void add_places(Table& table) {
  for (const auto& [shape, axis] :
       std::initializer_list<std::pair<Shape, std::int32_t>>{{{1}, 0},
                                                             {{7}, 0},
                                                             {{16}, -1},
                                                             {{5, 7}, 0},
                                                             {{5, 7}, 1},
                                                             {{5, 8}, 0},
                                                             {{5, 8}, 1},
                                                             {{3, 77}, 1},
                                                             {{77, 3}, 0},
                                                             {{3, 4, 5}, 1},
                                                             {{3, 4, 8}, 1},
                                                             {{4, 9, 6}, -3},
                                                             {{2, 3, 2, 3, 2, 3}, 2},
                                                             {{40, 1001}, 1},
                                                             {{3, 5000}, 1},
                                                             {{3, 1100}, 0},
                                                             {{1, 16385}, 1},
                                                             {{3, 20001}, 1},
                                                             {{2, 1500, 4}, 1},
                                                             {{1500, 3}, 0},
                                                             {{2, 0, 3}, 0},
                                                             {{2, 0, 3}, 1}}) {
    for (const Op op : {Op::arg_max, Op::arg_min}) {
      for (const DType dtype : moves::kDTypes) {
        table.add(op, {of_type(dtype, shape)}, ArgReduceAttrs{axis}, {.reference = first_of(op, axis)});
      }
    }
  }
  // A NaN is the result only if it comes first.
  const Input spoiled = given({5, 3}, {kNan, 1, 2, 3, kNan, -1, kInf, kInf, 0, -kInf, 2, -kInf, 4, 4, 4});
  for (const Op op : {Op::arg_max, Op::arg_min}) {
    for (const std::int32_t axis : {0, 1})
      table.add(op, {spoiled}, ArgReduceAttrs{axis},
                {.skip_gradients = "not finite", .reference = first_of(op, axis)});
    for (const std::size_t at : {0U, 3U, 1001U, 8999U}) {
      std::vector<double> values(9000);
      values[at] = values[8999] = 1;
      table.add(op, {given({9000}, values)}, ArgReduceAttrs{}, {.reference = first_of(op, 0)});
    }
  }
}

Reference soft(bool logarithm) {
  return [=](const Tensors& in) {
    const auto width = static_cast<std::size_t>(in[0].shape().back());
    std::vector<double> result;
    for (std::size_t row = 0; row < in[0].elements(); row += width) {
      const float* x = in[0].data<float>() + row;
      const double most = *std::max_element(x, x + width);
      double total = 0;
      for (std::size_t i = 0; i < width; ++i) total += std::exp(x[i] - most);
      for (std::size_t i = 0; i < width; ++i) {
        const double log_of = x[i] - most - std::log(total);
        result.push_back(logarithm ? log_of : std::exp(log_of));
      }
    }
    return result;
  };
}

void add_softmax(Table& table) {
  for (const Op op : {Op::softmax, Op::log_softmax}) {
    const Reference reference = soft(op == Op::log_softmax);
    const auto add = [&](const Input& logits, Options options = {}) {
      options.exact = 2e-6, options.least = 0.05;
      options.reference = reference;
      table.add(op, {logits}, NoneAttrs{}, options);
    };
    for (const Shape& shape : std::initializer_list<Shape>{
             {1},          {3},       {4},         {5},        {10},       {0},       {0, 3},  {3, 0},
             {1, 1},       {7, 1},    {5, 2},      {9, 3},     {6, 4},     {3, 10},   {2, 64}, {5, 2, 7},
             {2, 3, 5, 7}, {2, 1001}, {100, 1000}, {33, 1001}, {1, 50000}, {3, 20001}}) {
      add(floats(shape).within(-2, 2));
      if (shape.elements() < 3000) add(floats(shape).within(-9, 9));
    }
    add(given({3, 3}, {1000, 1001, 999, -1000, -1001, -999, 0, 88, 200}),
        {.skip_gradients = "too steep for steps"});
    table.add(op,
              {given({6, 3}, {1000, 999, -1000, -kInf, -kInf, -kInf, 1, kNan, 2, kInf, 1, 0, -kInf, 0, 0.5,
                              -3e38, 3e38, 0})},
              NoneAttrs{}, {.skip_gradients = "not finite"});
    table.add(op, {given({3, 4}, {-kInf, -kInf, -kInf, -kInf, kInf, 1, 0, -kInf, -3e38, 3e38, kNan, 0})},
              NoneAttrs{}, {.skip_gradients = "not finite"});
    for (const bool is_spoiled : {false, true}) {
      std::vector<double> values(std::size_t{2} * 8192);
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = i < 3000 ? -kInf : static_cast<double>(i % 4093) / 1023 - 2;
      if (is_spoiled) values[1] = kNan;
      table.add(op, {given({2, 8192}, values)});
    }
  }
}

void add_running(Table& table) {
  for (const bool exclusive : {false, true}) {
    for (const bool reverse : {false, true}) {
      for (const Op op : {Op::cumsum, Op::cumprod}) {
        const CumulateAttrs along{.axis = 1, .exclusive = exclusive, .reverse = reverse};
        table.add(op, {floats({2, 4, 2})}, along);
        table.add(op, {ints({2, 4, 2})}, along);
        table.add(op, {bools({2, 4})}, along);
        table.add(op, {given({4, 2}, {0.5, 0, 1.4, 0, 0.7, -0.3, 1.2, 0.9})},
                  CumulateAttrs{.axis = 0, .exclusive = exclusive, .reverse = reverse});
      }
    }
  }
}

void add_norms(Table& table) {
  for (const NormAttrs& attrs : std::initializer_list<NormAttrs>{
           {.axes = {1}},
           {.axes = {0, 1}, .keep_dims = true},
           {.order = NormOrder::kFrobenius, .axes = {0, 1}},
           {.order = NormOrder::kP, .p = 1, .axes = {1}},
           {.order = NormOrder::kP, .p = 1, .axes = {0, 1}},
           {.order = NormOrder::kP, .p = 3, .axes = {0}},
           {.order = NormOrder::kInfinity, .axes = {1}, .keep_dims = true},
           {.order = NormOrder::kInfinity, .axes = {0, 1}},
           {.order = NormOrder::kMinusInfinity, .axes = {0}},
       }) {
    table.add(Op::norm, {floats({3, 4})}, attrs);
  }
  table.add(Op::norm, {floats({})}, NormAttrs{});
  table.add(Op::norm, {ints({3, 4})}, NormAttrs{});
}

void add_moments(Table& table) {
  for (const ReduceAttrs& attrs : {ReduceAttrs{}, ReduceAttrs{{1}, 1}, ReduceAttrs{{0, 2}, 0}}) {
    for (const Op op : {Op::moments, Op::log_sum_exp}) {
      table.add(op, {floats({3, 4, 2})}, attrs);
      table.add(op, {ints({3, 4, 2})}, attrs);
    }
  }
  table.add(Op::log_sum_exp, {given({3}, {1000, 999, -1000})}, ReduceAttrs{},
            {.skip_gradients = "too steep for steps"});
  table.add(Op::add_n, {floats({2, 3})});
  table.add(Op::add_n, {floats({2, 3}), floats({2, 3}), floats({2, 3})});
  table.add(Op::add_n, {ints({5}), ints({5})});
}

void add_sorted(Table& table) {
  for (const DType dtype : moves::kDTypes) {
    table.add(Op::topk_indices, {of_type(dtype, {2, 5})}, TopKAttrs{.k = 3});
    table.add(Op::topk, {of_type(dtype, {2, 5})}, TopKAttrs{.k = 2});
  }
  table.add(Op::topk, {floats({5})}, TopKAttrs{.k = 5});
  for (const bool right : {false, true}) {
    table.add(Op::search_sorted, {given({2, 4}, {-1, 0, 0.5, 2, -2, -1, 1, 1}), floats({2, 3})},
              SearchSortedAttrs{.right = right});
    table.add(Op::search_sorted, {given({4}, {-3, 0, 2, 2}, DType::kInt32), ints({5})},
              SearchSortedAttrs{.right = right});
  }
  table.add(Op::bincount, {indices({5}, {0, 2, 2, 7, 1}), floats({5})}, BincountAttrs{.size = 4});
  table.add(Op::bincount, {indices({2, 3}, {0, 2, 2, 7, 1, 1}), ints({0})},
            BincountAttrs{.size = 3, .binary = true});
  table.add(Op::confusion_matrix, {indices({4}, {0, 1, 2, 1}), indices({4}, {0, 2, 2, 1})},
            ClassesAttrs{.classes = 3});
  for (const DType dtype : moves::kDTypes)
    table.add(Op::unique, {given({6}, {1, 0, 1, 1, 0, 3}, dtype)}, AxisAttrs{});
  table.add(Op::unique, {words({2, 3}, {"x", "y", "x", "z", "z", "z"})}, AxisAttrs{.axis = 1});
}

}  // namespace

void add_reduce(Table& table) {
  add_sums(table);
  add_places(table);
  add_softmax(table);
  add_running(table);
  add_norms(table);
  add_moments(table);
  add_sorted(table);
}

}  // namespace tenure::cases
