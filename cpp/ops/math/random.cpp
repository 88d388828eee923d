#include "ops/dtypes.h"
#include "ops/infer.h"
#include "ops/movement/slice.h"
#include "ops/ops.h"

namespace tenure::infer {
namespace {

TensorSpec normal(const RandomAttrs& attrs) {
  check_kernel_dtype(attrs.dtype);
  check(attrs.dtype != DType::kBool, "Unsupported data type bool");
  return {Shape(attrs.shape), attrs.dtype};
}

}  // namespace

TensorSpec random_uniform(Inputs, const RandomAttrs& attrs) {
  check_kernel_dtype(attrs.dtype);
  return {Shape(attrs.shape), attrs.dtype};
}

TensorSpec random_normal(Inputs, const RandomAttrs& attrs) { return normal(attrs); }

TensorSpec truncated_normal(Inputs, const RandomAttrs& attrs) { return normal(attrs); }

TensorSpec random_gamma(Inputs, const RandomAttrs& attrs) {
  check(attrs.a > 0, "expected an alpha above 0, got ", attrs.a);
  return normal(attrs);
}

}  // namespace tenure::infer

namespace tenure::composed {

Tensor multinomial(const Tensor& logits, const MultinomialAttrs& attrs) {
  check_shape(logits.rank() >= 1 && logits.rank() <= 2, "Rank of probabilities must be 1 or 2, but is ",
              logits.rank());
  check_shape(logits.elements() >= 2, "Error in multinomial: you need at least 2 outcomes, but got ",
              logits.elements(), ".");
  check(attrs.samples >= 0, "expected numSamples of 0 or more, got ", attrs.samples);
  const std::int32_t outcomes = logits.shape().back();
  const Tensor weights = cast(logits, {DType::kFloat32});
  const Tensor chances = attrs.normalized != 0 ? weights : softmax(weights);
  // A draw selects the outcome by the number of cumulative probabilities at or below it. The last outcome
  // takes the rest.
  const Tensor ends =
      slice_axis(cumsum(chances, {.axis = logits.rank() - 1}), logits.rank() - 1, 0, outcomes - 1);
  Shape shape = logits.shape();
  shape.back() = attrs.samples;
  return search_sorted(ends,
                       random_uniform({.shape = shape, .seed = attrs.seed, .seed_high = attrs.seed_high}),
                       {.right = true});
}

Tensor dropout(const Tensor& x, const DropoutAttrs& attrs) {
  check(attrs.rate >= 0 && attrs.rate < 1, "rate must be a float in the range [0, 1), but got ", attrs.rate,
        ".");
  if (attrs.rate == 0) return identity(x);
  const float kept = 1 - attrs.rate;
  const Tensor chances =
      random_uniform({.shape = attrs.noise_shape, .seed = attrs.seed, .seed_high = attrs.seed_high});
  return mul(x, div(floor(add(chances, Tensor::scalar(kept))), Tensor::scalar(kept)));
}

}  // namespace tenure::composed
