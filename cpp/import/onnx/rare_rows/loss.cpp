#include "import/onnx/families.h"
#include "import/onnx/rare_rows/elements.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Returns the loss of log-probabilities [batch, classes, ...] for the classes of input 1.
Tensor likelihood_loss(const Call& call, const Tensor& x) {
  check_shape(x.rank() >= 2 && call[1].rank() == x.rank() - 1, "classes of shape ", call[1].shape(),
              " do not fit ", x.shape());
  Tensor classes = as_indices(call[1]);
  Tensor counts;
  if (call.attrs().has("ignore_index")) {
    const Tensor is_counted = not_equal(classes, Tensor::scalar(call.attrs().integer("ignore_index", 0)));
    classes = where(is_counted, classes, Tensor::scalar(0));
    counts = cast(is_counted, {DType::kFloat32});
  }
  if (const Tensor weights = optional(call, 2)) {
    const Tensor chosen = gather(weights, classes, {.axis = 0});
    counts = counts ? mul(chosen, counts) : chosen;
  }
  Tensor loss = neg(squeeze(gather_elements(x, expand_dims(classes, {1}), 1), {Dims{1}}));
  if (counts) loss = mul(loss, counts);
  const std::string_view reduction = call.attrs().string("reduction", "mean");
  if (reduction == "none") return loss;
  if (reduction == "sum") return sum(loss);
  check(reduction == "mean", "attribute \"reduction\" is \"", reduction, "\"");
  return counts ? div(sum(loss), sum(counts)) : mean(loss);
}

Tensor negative_log_likelihood(const Call& call) { return likelihood_loss(call, call[0]); }

/// Returns the loss, and the logarithms of the probabilities.
EdgeValues cross_entropy(const Call& call) {
  const Tensor& x = call[0];
  check_shape(x.rank() >= 2, "expected an input of rank 2 or more, got ", x.shape());
  PermutationAttrs swapped;
  for (int i = 0; i < x.rank(); ++i) swapped.perm.push_back(i);
  std::swap(swapped.perm[1], swapped.perm.back());
  const Tensor logarithms =
      x.rank() == 2 ? log_softmax(x) : transpose(log_softmax(transpose(x, swapped)), swapped);
  return {likelihood_loss(call, logarithms), logarithms};
}

constexpr Row kRows[] = {
    {"NegativeLogLikelihoodLoss", negative_log_likelihood},
    {"SoftmaxCrossEntropyLoss", cross_entropy},
};

}  // namespace

std::span<const Row> loss_rows() { return kRows; }

}  // namespace tenure::onnx
