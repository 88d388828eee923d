#include "import/onnx/rare_rows/ml/scores.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/strings.h"
#include "model/executor/operands.h"
#include "ops/tensor1d.h"

namespace tenure::onnx {
namespace {

constexpr std::string_view kTransforms[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};

float logistic(float x) {
  const float y = 1 / (1 + std::exp(-std::fabs(x)));
  return x < 0 ? 1 - y : y;
}

/// The quantile function of the normal distribution, by Winitzki's approximation of the inverse error
/// function ("A handy approximation for the error function and its inverse", 2008) with onnxruntime's
/// constant.
float probit(float x) {
  constexpr float kA = 0.147F;
  const float y = 2 * x - 1;
  const float logarithm = std::log((1 - y) * (1 + y));
  const float b = 2 / (std::numbers::pi_v<float> * kA) + 0.5F * logarithm;
  const float root = std::sqrt(std::sqrt(b * b - logarithm / kA) - b);
  return std::numbers::sqrt2_v<float> * (y < 0 ? -root : root);
}

/// Softmax; with `keeps_zeros`, scores of 0 take no part and stay near 0.
void softmax_row(std::span<float> scores, bool keeps_zeros) {
  constexpr float kZero = 1e-7F;
  const float greatest = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (float& score : scores) {
    const bool counts = !keeps_zeros || std::fabs(score) > kZero;
    score = counts ? std::exp(score - greatest) : score * std::exp(-greatest);
    if (counts) sum += score;
  }
  if (sum == 0) return;
  for (float& score : scores) score /= sum;
}

}  // namespace

PostTransform read_post_transform(const Attributes& attrs) {
  const std::string_view name = attrs.string("post_transform", kTransforms[0]);
  const double number = attrs.number("post_transform", 0);
  const auto* at = std::find(std::begin(kTransforms), std::end(kTransforms), name);
  check(at != std::end(kTransforms) && number >= 0 && number < std::size(kTransforms),
        "attribute \"post_transform\" is \"", name, "\", ", number);
  return number > 0 ? static_cast<PostTransform>(number)
                    : static_cast<PostTransform>(at - std::begin(kTransforms));
}

void transform_scores(std::vector<float>& scores, PostTransform transform, SecondClass second) {
  if (scores.empty()) return;
  if (scores.size() == 1) {
    const float score = scores[0];
    if (transform == PostTransform::kProbit) {
      scores[0] = probit(score);
    } else if (second != SecondClass::kNone && transform == PostTransform::kLogistic) {
      scores = {logistic(-score), logistic(score)};
    } else if (second != SecondClass::kNone) {
      scores = {second == SecondClass::kComplement ? 1 - score : -score, score};
    }
    return;
  }
  switch (transform) {
    case PostTransform::kNone: return;
    case PostTransform::kLogistic:
      std::transform(scores.begin(), scores.end(), scores.begin(), logistic);
      return;
    case PostTransform::kProbit: std::transform(scores.begin(), scores.end(), scores.begin(), probit); return;
    case PostTransform::kSoftmax:
    case PostTransform::kSoftmaxZero: softmax_row(scores, transform == PostTransform::kSoftmaxZero); return;
  }
}

std::vector<float> read_floats(const Attributes& attrs, const std::string& name) {
  std::vector<float> values;
  for (const double number : attrs.numbers(name)) values.push_back(static_cast<float>(number));
  for (const std::string& other : {name, name + "_as_tensor"}) {
    if (!attrs.tensor(other)) continue;
    const Tensor tensor = as_dtype(attrs.tensor(other), DType::kFloat32);
    const std::span<const float> elements = tensor.values<float>();
    values.assign(elements.begin(), elements.end());
  }
  return values;
}

Labels::Labels(const Attributes& attrs, std::string_view integers) : integers_(attrs.integers(integers)) {
  const std::span<const std::string> texts = attrs.strings("classlabels_strings");
  texts_.assign(texts.begin(), texts.end());
  check(texts_.empty() || integers_.empty(), "it has labels of both types");
}

Tensor Labels::at(std::span<const std::size_t> indices) const {
  if (!texts_.empty()) {
    std::vector<std::string_view> found;
    for (const std::size_t i : indices) found.push_back(texts_[i]);
    return make_string_tensor(found, {static_cast<std::int32_t>(found.size())});
  }
  std::vector<std::int32_t> found;
  for (const std::size_t i : indices)
    found.push_back(integers_.empty() ? static_cast<std::int32_t>(i) : integers_[i]);
  return tensor1d(found);
}

Samples::Samples(const Tensor& x) : values(as_dtype(x, DType::kFloat32)) {
  check_shape(x.rank() == 1 || x.rank() == 2, "expected rows [N,C] or one row [C], got ", x.shape());
  rows = x.rank() == 1 ? 1 : static_cast<std::size_t>(x.dim(0));
  columns = static_cast<std::size_t>(x.shape().back());
}

std::size_t find_greatest(std::span<const float> values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

Tensor ScoreTable::to_tensor(std::size_t columns) const {
  if (rows_ > 0) columns = values_.size() / rows_;
  return Tensor::from(std::span<const float>(values_),
                      {static_cast<std::int32_t>(rows_), static_cast<std::int32_t>(columns)});
}

}  // namespace tenure::onnx
