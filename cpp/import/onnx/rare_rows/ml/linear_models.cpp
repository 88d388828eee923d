// Linear models.

#include "core/run/dispatch.h"
#include "import/onnx/families.h"
#include "import/onnx/rare_rows/ml/scores.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::onnx {
namespace {

/// The coefficients of a node.
struct LinearModel {
  explicit LinearModel(const Attributes& attrs)
      : coefficients(tensor1d(read_floats(attrs, "coefficients"))),
        intercepts(tensor1d(read_floats(attrs, "intercepts"))),
        transform(read_post_transform(attrs)) {}

  /// Returns x times the coefficients, of which each target has a row, plus the intercepts, of shape
  /// [rows, targets].
  Tensor multiply(const Samples& samples) const;

  Tensor coefficients;
  Tensor intercepts;
  PostTransform transform;
};

Tensor LinearModel::multiply(const Samples& samples) const {
  const std::size_t count = coefficients.elements();
  check(samples.columns > 0 && count > 0 && count % samples.columns == 0, "attribute \"coefficients\" has ",
        count, " values for rows of ", samples.columns);
  const std::size_t targets = count / samples.columns;
  check(intercepts.elements() == 0 || intercepts.elements() == targets, "attribute \"intercepts\" has ",
        intercepts.elements(), " values for ", targets, " targets");
  const auto columns = static_cast<std::int32_t>(samples.columns);
  const Tensor weights = reshape(coefficients, {Shape{static_cast<std::int32_t>(targets), columns}});
  const Tensor x = reshape(samples.values, {Shape{static_cast<std::int32_t>(samples.rows), columns}});
  // The scores are read at once.
  const BackendGuard on_cpu(cpu_backend());
  const Tensor product = mat_mul(x, weights, {.transpose_b = true});
  return intercepts.elements() == 0 ? product : add(product, intercepts);
}

/// A LinearClassifier.
struct LinearClassifier : LinearModel {
  explicit LinearClassifier(const Attributes& attrs)
      : LinearModel(attrs), labels(attrs, "classlabels_ints") {}

  Labels labels;
};

/// Returns the rows of a tensor [rows, targets], each transformed.
Tensor transform_rows(const Tensor& x, PostTransform transform, SecondClass second = SecondClass::kNone) {
  const auto targets = static_cast<std::size_t>(x.dim(1));
  const std::span<const float> values = x.values<float>();
  ScoreTable table;
  for (std::size_t at = 0; at < values.size(); at += targets) {
    std::vector<float> row(values.begin() + static_cast<std::ptrdiff_t>(at),
                           values.begin() + static_cast<std::ptrdiff_t>(at + targets));
    transform_scores(row, transform, second);
    table.add(row);
  }
  return table.to_tensor(targets == 1 && second != SecondClass::kNone ? 2 : targets);
}

Tensor regress_linearly(const Call& call) {
  const Samples samples(call.value(0));
  const auto& model = prepare<LinearModel>(call);
  const Tensor scores = model.multiply(samples);
  const std::int32_t targets = call.attrs().integer("targets", 1);
  check(scores.dim(1) == targets, "it has coefficients for ", scores.dim(1), " targets, expected ", targets);
  return transform_rows(scores, model.transform);
}

EdgeValues classify_linearly(const Call& call) {
  const Samples samples(call.value(0));
  const auto& model = prepare<LinearClassifier>(call);
  const Labels& labels = model.labels;
  const Tensor scores = model.multiply(samples);
  const auto targets = static_cast<std::size_t>(scores.dim(1));
  const bool has_one = targets == 1;
  check(labels.size() == targets || (has_one && labels.size() <= 2), "it has ", labels.size(), " labels for ",
        targets, " scores");
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < samples.rows; ++i) {
    const std::span<const float> row = scores.values<float>().subspan(i * targets, targets);
    found.push_back(has_one ? static_cast<std::size_t>(labels.size() == 2 && row[0] > 0)
                            : find_greatest(row));
  }
  const SecondClass second = has_one && labels.size() == 2 ? SecondClass::kComplement : SecondClass::kNone;
  return {labels.at(found), transform_rows(scores, model.transform, second)};
}

constexpr Row kRows[] = {
    {"LinearClassifier", classify_linearly},
    {"LinearRegressor", regress_linearly},
};

}  // namespace

std::span<const Row> linear_model_rows() { return kRows; }

}  // namespace tenure::onnx
