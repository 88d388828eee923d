#include "import/onnx/families.h"
#include "model/passes/channels_last.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Normalizes groups of channels. From opset 21 on the scale and the bias are those of channels.
Tensor groups_normalized(const Call& call) {
  const Tensor& x = call[0];
  const std::int32_t groups = call.attrs().integer("num_groups", 0);
  check_shape(x.rank() >= 3 && groups > 0 && x.dim(1) % groups == 0, "attribute \"num_groups\" is ", groups,
              " for an input of ", x.shape());
  const Tensor parts = reshape(x, {Shape{x.dim(0), groups, -1}});
  const Tensors found = moments(parts, {.axes = {2}, .keep_dims = true});
  const Tensor scaled =
      mul(sub(parts, found[0]),
          rsqrt(add(found[1], Tensor::scalar(static_cast<float>(call.attrs().number("epsilon", 1e-5))))));
  const auto affine = [&](const Tensor& y, const Shape& shape) {
    return reshape(add(mul(y, reshape(call[1], {shape})), reshape(call[2], {shape})), {x.shape()});
  };
  if (call[1].dim(0) == groups) return affine(scaled, {groups, 1});
  return affine(reshape(scaled, {Shape{x.dim(0), x.dim(1), -1}}), {x.dim(1), 1});
}

/// Subtracts the mean and divides by the standard deviation.
Tensor standardized(const Call& call) {
  const Tensor& x = call[0];
  ReduceAttrs attrs{.axes = {0, 2, 3}, .keep_dims = true};
  if (call.attrs().has("axes")) {
    const std::vector<std::int32_t> axes = call.attrs().integers("axes");
    attrs.axes = Dims(std::span<const std::int32_t>(axes));
  }
  const Tensors found = moments(x, attrs);
  return div(sub(x, found[0]), add(sqrt(found[1]), Tensor::scalar(1e-9F)));
}

/// Divides by the sum of absolute values or the root of the sum of squares.
Tensor norm_normalized(const Call& call) {
  const Tensor& x = call[0];
  const std::int32_t p = call.attrs().integer("p", 2);
  check(p == 1 || p == 2, "attribute \"p\" is ", p);
  const ReduceAttrs attrs{.axes = {call.attrs().integer("axis", -1)}, .keep_dims = true};
  return div_no_nan(x, p == 1 ? sum(abs(x), attrs) : sqrt(sum(square(x), attrs)));
}

/// Returns 1 at the first maximum along the axis, 0 elsewhere. Before opset 13 all axes from that on were
/// one.
Tensor hard_maximum(const Call& call) {
  const Tensor& x = call[0];
  const bool flattens = opset(call) < 13;
  const int axis = normalize_axis(call.attrs().integer("axis", flattens ? 1 : -1), x.rank());
  const Tensor values =
      flattens ? reshape(x, {Shape{static_cast<std::int32_t>(x.shape().elements(0, axis)),
                                   static_cast<std::int32_t>(x.shape().elements(axis, x.rank()))}})
               : x;
  if (x.elements() == 0) return x;
  const int along = flattens ? 1 : axis;
  Shape positions{values.dim(along)};
  while (along + positions.rank < values.rank()) positions.push_back(1);
  const Tensor count = range({.step = 0, .int_step = 1, .count = values.dim(along), .dtype = DType::kInt32});
  const Tensor hot = equal(expand_dims(arg_max(values, {along}), {along}), reshape(count, {positions}));
  return reshape(as_dtype(hot, x.dtype()), {x.shape()});
}

Tensor channels_normalized(const Call& call) {
  const std::int32_t size = call.attrs().integer("size", 1);
  check(size % 2 == 1, "a size of ", size, " is not supported, which is even");
  const auto alpha = static_cast<float>(call.attrs().number("alpha", 1e-4));
  const Tensor y = local_response_norm(to_channels_last(call[0], true),
                                       {.radius = size / 2,
                                        .bias = static_cast<float>(call.attrs().number("bias", 1)),
                                        .alpha = alpha / static_cast<float>(size),
                                        .beta = static_cast<float>(call.attrs().number("beta", 0.75))});
  return from_channels_last(y, true);
}

constexpr Row kRows[] = {
    {"GroupNormalization", groups_normalized},
    {"Hardmax", hard_maximum},
    {"LRN", channels_normalized},
    {"LpNormalization", norm_normalized},
    {"MeanVarianceNormalization", standardized},
};

}  // namespace

std::span<const Row> rare_normalization_rows() { return kRows; }

}  // namespace tenure::onnx
