#include "core/error.h"
#include "ops/infer.h"
#include "ops/ops.h"

// Losses of predictions and labels, weighted and reduced, with the formulas and reductions of TensorFlow.js's
// tf.losses.
namespace tenure::composed {
namespace {

Tensor constant(float value) { return Tensor::scalar(value); }

void check_same(const Tensor& labels, const Tensor& predictions, Op op) {
  check_shape(labels.shape() == predictions.shape(), "Error in ", op_def(op).js_name, ":  Shapes ",
              join_dims(labels.shape()), " and ", join_dims(predictions.shape()), " must match");
}

// Returns the weighted mean. Each weight counts once for every loss that it is broadcast to.
Tensor weighted_mean(const Tensor& losses, const Tensor& weights) {
  const Tensor weighted = sum(mul(losses, weights));
  const float repeats = static_cast<float>(losses.elements()) / static_cast<float>(weights.elements());
  const Tensor result = div(weighted, sum(weights));
  return repeats > 1 ? div(result, constant(repeats)) : result;
}

Tensor nonzero_mean(const Tensor& losses, const Tensor& weights) {
  const Tensor total = sum(weights ? mul(losses, weights) : losses);
  if (!weights) return div(total, constant(static_cast<float>(losses.elements())));
  const Tensor ones = fill({.shape = losses.shape(), .value = 1});
  return div(total, sum(cast(not_equal(mul(weights, ones), constant(0)), {DType::kFloat32})));
}

Tensor reduced(const Tensor& losses, const Tensor& weights, Reduction reduction) {
  switch (reduction) {
    case Reduction::kNone: break;
    case Reduction::kMean: return weights ? weighted_mean(losses, weights) : mean(losses);
    case Reduction::kSum: return sum(weights ? mul(losses, weights) : losses);
    case Reduction::kSumByNonzeroWeights: return nonzero_mean(losses, weights);
  }
  return weights ? mul(losses, weights) : losses;
}

}  // namespace

Tensor compute_weighted_loss(const Tensor& losses, const Tensor& weights, const LossAttrs& attrs) {
  return reduced(losses, weights, attrs.reduction);
}

Tensor absolute_difference(const Tensor& labels, const Tensor& predictions, const Tensor& weights,
                           const LossAttrs& attrs) {
  check_same(labels, predictions, Op::absolute_difference);
  return reduced(abs(sub(labels, predictions)), weights, attrs.reduction);
}

Tensor mean_squared_error(const Tensor& labels, const Tensor& predictions, const Tensor& weights,
                          const LossAttrs& attrs) {
  check_same(labels, predictions, Op::mean_squared_error);
  return reduced(squared_difference(labels, predictions), weights, attrs.reduction);
}

Tensor cosine_distance(const Tensor& labels, const Tensor& predictions, const Tensor& weights,
                       const AxisLossAttrs& attrs) {
  check_same(labels, predictions, Op::cosine_distance);
  const Tensor similarity = sum(mul(labels, predictions), {.axes = {attrs.axis}, .keep_dims = true});
  return reduced(sub(constant(1), similarity), weights, attrs.reduction);
}

Tensor hinge_loss(const Tensor& labels, const Tensor& predictions, const Tensor& weights,
                  const LossAttrs& attrs) {
  check_same(labels, predictions, Op::hinge_loss);
  const Tensor signs = sub(mul(constant(2), labels), constant(1));
  return reduced(relu(sub(constant(1), mul(signs, predictions))), weights, attrs.reduction);
}

Tensor huber_loss(const Tensor& labels, const Tensor& predictions, const Tensor& weights,
                  const LossAttrs& attrs) {
  check_same(labels, predictions, Op::huber_loss);
  const Tensor delta = constant(attrs.parameter);
  const Tensor error = abs(sub(predictions, labels));
  const Tensor quadratic = minimum(error, delta);
  const Tensor losses = add(mul(constant(0.5F), square(quadratic)), mul(delta, sub(error, quadratic)));
  return reduced(losses, weights, attrs.reduction);
}

Tensor log_loss(const Tensor& labels, const Tensor& predictions, const Tensor& weights,
                const LossAttrs& attrs) {
  check_same(labels, predictions, Op::log_loss);
  const Tensor one = constant(1);
  const Tensor epsilon = constant(attrs.parameter);
  const Tensor positive_term = neg(mul(labels, log(add(predictions, epsilon))));
  const Tensor negative_term = mul(sub(one, labels), log(add(sub(one, predictions), epsilon)));
  return reduced(sub(positive_term, negative_term), weights, attrs.reduction);
}

// max(x, 0) - x * z + log(1 + exp(-|x|)), which does not overflow.
Tensor sigmoid_cross_entropy(const Tensor& labels, const Tensor& logits, const Tensor& weights,
                             const LossAttrs& attrs) {
  check_same(labels, logits, Op::sigmoid_cross_entropy);
  const float smoothing = attrs.parameter;
  const Tensor targets =
      smoothing > 0 ? add(mul(labels, constant(1 - smoothing)), constant(0.5F * smoothing)) : labels;
  const Tensor losses = add(sub(relu(logits), mul(logits, targets)), log1p(exp(neg(abs(logits)))));
  return reduced(losses, weights, attrs.reduction);
}

Tensor softmax_cross_entropy(const Tensor& labels, const Tensor& logits, const Tensor& weights,
                             const LossAttrs& attrs) {
  check_same(labels, logits, Op::softmax_cross_entropy);
  check_shape(labels.rank() >= 1, "expected labels with a last axis of classes, got a scalar");
  const float smoothing = attrs.parameter;
  const auto classes = static_cast<float>(labels.shape().back());
  const Tensor targets =
      smoothing > 0 ? add(mul(labels, constant(1 - smoothing)), constant(smoothing / classes)) : labels;
  const Tensor logarithms = log_softmax(cast(logits, {DType::kFloat32}));
  return reduced(neg(sum(mul(logarithms, targets), {.axes = {-1}})), weights, attrs.reduction);
}

}  // namespace tenure::composed
