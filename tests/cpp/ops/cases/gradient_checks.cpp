#include "ops/cases/gradient_checks.h"

#include <cmath>

#include "catch.h"

namespace tenure::cases {
namespace {

/// Returns the reason why a row's gradient is not its derivative; null if it is.
const char* convention_of(Op op) {
  return op == Op::floor_div ? "TensorFlow.js gives floorDiv the gradient of div" : nullptr;
}

Tensor vector_of(const std::vector<SmoothPoint>& points,
                 const std::function<double(const SmoothPoint&)>& value) {
  Tensor x(TensorSpec{{static_cast<std::int32_t>(points.size())}, DType::kFloat32});
  for (std::size_t i = 0; i < points.size(); ++i)
    x.mutable_data<float>()[i] = static_cast<float>(value(points[i]));
  return x;
}

void check_near(const Tensor& got, const Tensor& weights, const Tensor& expected, double tolerance,
                const char* what) {
  std::vector<double> values;
  for (std::size_t i = 0; i < expected.elements(); ++i)
    values.push_back(double{expected.data<float>()[i]} * weights.data<float>()[i]);
  const std::string off = difference(got, values, tolerance);
  INFO(what << ": " << off);
  CHECK(off.empty());
}

void check_row(const ElementwiseRow& row, const Put& put, double tolerance) {
  const std::vector<SmoothPoint> points = smooth_points(row);
  INFO("op " << op_def(row.op).name);
  REQUIRE(points.size() >= 5);
  Tensors xs = {put(vector_of(points, [](const SmoothPoint& p) { return p.x; }))};
  if (row.is_binary()) xs.push_back(put(vector_of(points, [](const SmoothPoint& p) { return p.y; })));
  const auto f = [&](const Tensors& at) { return run(row.op, TensorList(at), row.attrs); };
  const Tensor weights = make_weights(xs[0].shape());
  const Tensors first = value_and_gradients(f, xs, put(weights)).gradients;
  for (std::size_t k = 0; k < xs.size(); ++k) {
    const Tensor slopes = vector_of(points, [&](const SmoothPoint& p) { return p.first[k]; });
    check_near(first[k], weights, slopes, tolerance, "gradient");
    const auto slope = [&](const Tensors& at) { return value_and_gradients(f, at).gradients[k]; };
    const Tensors second = value_and_gradients(slope, xs, put(weights)).gradients;
    for (std::size_t l = 0; l < xs.size(); ++l) {
      const Tensor bends = vector_of(points, [&](const SmoothPoint& p) { return p.second[k + l]; });
      check_near(second[l], weights, bends, 10 * tolerance, "gradient of the gradient");
    }
  }
}

}  // namespace

void check_elementwise_gradients(const Put& put, double tolerance) {
  for (const ElementwiseRow& row : elementwise_rows()) {
    if (op_def(row.op).gradient != Gradient::kNone && !convention_of(row.op)) check_row(row, put, tolerance);
  }
}

void check_broadcast_gradients(const Put& put, double tolerance) {
  for (const ElementwiseRow& row : elementwise_rows()) {
    if (!row.is_binary() || op_def(row.op).gradient != Gradient::kRule) continue;
    for (const auto& [a, b] : std::initializer_list<std::pair<Shape, Shape>>{
             {{2, 3}, {3}}, {{5, 1}, {1, 4}}, {{}, {4}}, {{2, 1, 4}, {3, 1}}, {{2, 3}, {1}}}) {
      const Tensors xs = {put(make_tensor(floats(a).within(0.4F, 2), 0, a)),
                          put(make_tensor(floats(b).within(0.3F, 1.7F), 1, b))};
      const Shape out = broadcast(a, b);
      const Tensor weights = put(make_weights(out));
      const auto f = [&](const Tensors& at) { return run(row.op, {&at[0], &at[1]}); };
      const Tensor ones = fill({.shape = out, .value = 1});
      const Tensors repeated = {mul(xs[0], ones), mul(xs[1], ones)};
      const Tensors got = value_and_gradients(f, xs, weights).gradients;
      const Tensors whole = value_and_gradients(f, repeated, weights).gradients;
      for (std::size_t k = 0; k < 2; ++k) {
        ReduceAttrs over{.keep_dims = true};
        const Shape& shape = xs[k].shape();
        for (int i = 0; i < out.rank; ++i) {
          const int own = i - (out.rank - shape.rank);
          if (own < 0 || shape[own] != out[i]) over.axes.push_back(i);
        }
        const Tensor summed = over.axes.empty() ? whole[k] : sum(whole[k], over);
        const std::string off = difference(got[k], reshape(summed, {shape}), tolerance);
        INFO("op " << op_def(row.op).name << " of " << text(a, " and ", b) << ", input " << k << ": " << off);
        CHECK(off.empty());
      }
    }
  }
}

}  // namespace tenure::cases
