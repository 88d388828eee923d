#include <cmath>
#include <limits>

#include "core/error.h"
#include "ops/infer.h"
#include "ops/ops.h"

// Losses and metrics of layers models, with TensorFlow.js's formulas. Each has the shape of the targets
// without the last axis, except precision, recall and r2Score, which are scalars.
namespace tenure::composed {
namespace {

constexpr float kEpsilon = 1e-7F;
constexpr float kMaxFloat = std::numeric_limits<float>::max();

Tensor constant(float value) { return Tensor::scalar(value); }
Tensor mean_last_axis(const Tensor& x) { return mean(x, {.axes = {-1}}); }
Tensor sum_last_axis(const Tensor& x, bool keep_dims = false) {
  return sum(x, {.axes = {-1}, .keep_dims = keep_dims});
}
Tensor to_float(const Tensor& x) { return cast(x, {DType::kFloat32}); }
Tensor clipped(const Tensor& x, float max) {
  return clip_by_value(to_float(x), {.min = kEpsilon, .max = max});
}
/// Returns log(1 + max(x, kEpsilon)).
Tensor log1p_positive(const Tensor& x) { return log(add(constant(1), clipped(x, kMaxFloat))); }
Tensor margin(const Tensor& y_true, const Tensor& y_pred) {
  return maximum(constant(0), sub(constant(1), mul(y_true, y_pred)));
}
Tensor l2_normalize(const Tensor& x) {
  const Tensor values = to_float(x);
  return div(values, sqrt(maximum(sum_last_axis(square(values), true), constant(kEpsilon))));
}
/// Returns the number of samples with this target and this prediction.
Tensor count(const Tensor& y_true, const Tensor& y_pred, float target, float prediction) {
  return to_float(sum(logical_and(equal(y_true, constant(target)), equal(y_pred, constant(prediction)))));
}
/// Returns hits / (hits + misses); 0 if there are neither.
Tensor hit_ratio(const Tensor& hits, const Tensor& misses) { return div_no_nan(hits, add(hits, misses)); }

}  // namespace

Tensor metric_mean_squared_error(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  return mean_last_axis(square(sub(y_pred, y_true)));
}
Tensor metric_mean_absolute_error(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  return mean_last_axis(abs(sub(y_pred, y_true)));
}
Tensor metric_mean_absolute_percentage_error(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  const Tensor parts = abs(div(sub(y_true, y_pred), clipped(abs(y_true), kMaxFloat)));
  return mul(constant(100), mean_last_axis(parts));
}
Tensor metric_mean_squared_logarithmic_error(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  return mean_last_axis(square(sub(log1p_positive(y_pred), log1p_positive(y_true))));
}
Tensor metric_squared_hinge(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  return mean_last_axis(square(margin(y_true, y_pred)));
}
Tensor metric_hinge(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  return mean_last_axis(margin(y_true, y_pred));
}
Tensor metric_categorical_hinge(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  const Tensor right = sum_last_axis(mul(y_true, y_pred));
  const Tensor wrong = max(mul(sub(constant(1), y_true), y_pred), {.axes = {-1}});
  return maximum(constant(0), add(constant(1), sub(wrong, right)));
}
Tensor metric_logcosh(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  const Tensor error = sub(y_pred, y_true);
  return mean_last_axis(sub(add(error, softplus(mul(constant(-2), error))), constant(std::log(2.0F))));
}
Tensor metric_categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  // Normalized, so that the probabilities of a sample add up to 1.
  const Tensor scaled = div(y_pred, sum_last_axis(y_pred, true));
  const Tensor logarithms = log(clipped(scaled, 1 - kEpsilon));
  return neg(sum_last_axis(mul(to_float(y_true), logarithms)));
}
Tensor metric_sparse_categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  check_shape(y_pred.rank() >= 1, "expected predictions with a last axis of classes, got a scalar");
  const auto size = static_cast<std::int32_t>(y_true.elements());
  const Tensor classes = cast(reshape(floor(y_true), {{size}}), {DType::kInt32});
  const Tensor targets = one_hot(classes, {.depth = y_pred.shape().back()});
  return tenure::metric_categorical_crossentropy(reshape(targets, {y_pred.shape()}),
                                                 clipped(y_pred, 1 - kEpsilon));
}
Tensor metric_binary_crossentropy(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  check_shape(y_true.shape() == y_pred.shape(), "logits and labels must have the same shape, but got shapes ",
              y_true.shape(), " and ", y_pred.shape());
  const Tensor y = clipped(y_pred, 1 - kEpsilon);
  const Tensor logits = log(div(y, sub(constant(1), y)));
  return mean_last_axis(add(sub(relu(logits), mul(logits, y_true)), log1p(exp(neg(abs(logits))))));
}
Tensor metric_kullback_leibler_divergence(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  return sum_last_axis(mul(y_true, log(div(clipped(y_true, 1), clipped(y_pred, 1)))));
}
Tensor metric_poisson(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  return mean_last_axis(sub(y_pred, mul(y_true, log(add(constant(kEpsilon), y_pred)))));
}
Tensor metric_cosine_proximity(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  return neg(sum_last_axis(mul(l2_normalize(y_true), l2_normalize(y_pred))));
}

Tensor metric_binary_accuracy(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  return mean_last_axis(equal(y_true, cast(greater(y_pred, constant(0.5F)), {y_true.dtype()})));
}
Tensor metric_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  return to_float(equal(arg_max(y_true, {.axis = -1}), arg_max(y_pred, {.axis = -1})));
}
Tensor metric_sparse_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  const bool has_last = y_true.rank() == y_pred.rank();
  const Tensor targets = has_last ? squeeze(y_true, {{y_true.rank() - 1}}) : y_true;
  return to_float(equal(targets, cast(arg_max(y_pred, {.axis = -1}), {targets.dtype()})));
}
Tensor metric_precision(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  return hit_ratio(count(y_true, y_pred, 1, 1), count(y_true, y_pred, 0, 1));
}
Tensor metric_recall(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  return hit_ratio(count(y_true, y_pred, 1, 1), count(y_true, y_pred, 1, 0));
}
Tensor metric_r2_score(const Tensor& y_true, const Tensor& y_pred, const NoneAttrs&) {
  const Tensor residuals = sum(square(sub(y_true, y_pred)));
  const Tensor deviations = sum(square(sub(y_true, mean(y_true))));
  return sub(constant(1), div(residuals, deviations));
}

}  // namespace tenure::composed
