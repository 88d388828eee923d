#include "import/onnx/families.h"
#include "model/passes/channels_last.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

float epsilon_of(const Call& call) { return static_cast<float>(call.attrs().number("epsilon", 1e-5)); }

/// Reshapes [channels] so that it broadcasts to [batch, channels, ...].
Tensor per_channel(const Tensor& values, int rank) {
  Shape shape{static_cast<std::int32_t>(values.elements())};
  for (int i = 2; i < rank; ++i) shape.push_back(1);
  return reshape(values, {shape});
}

/// Normalizes by the batch's own statistics. Returns the running ones too.
EdgeValues batch_trained(const Call& call) {
  const Tensor& x = call[0];
  ReduceAttrs attrs;
  for (int i = 0; i < x.rank(); ++i) {
    if (i != 1) attrs.axes.push_back(i);
  }
  const Tensors found = moments(x, attrs);
  const Tensor inverse = rsqrt(add(found[1], Tensor::scalar(epsilon_of(call))));
  const Tensor scale = per_channel(mul(inverse, call[1]), x.rank());
  const Tensor y = add(mul(sub(x, per_channel(found[0], x.rank())), scale), per_channel(call[2], x.rank()));
  const auto momentum = static_cast<float>(call.attrs().number("momentum", 0.9));
  const auto running = [&](const Tensor& old, const Tensor& now) {
    return add(mul(old, Tensor::scalar(momentum)), mul(now, Tensor::scalar(1 - momentum)));
  };
  return {y, running(call[3], found[0]), running(call[4], found[1])};
}

EdgeValues batch_normalized(const Call& call) {
  if (call.attrs().flag("training_mode")) return batch_trained(call);
  check(opset(call) >= 7 || call.attrs().flag("is_test"), "its training mode is not supported");
  const Tensor y =
      batch_norm(to_channels_last(call[0], true), call[3], call[4], call[2], call[1], {epsilon_of(call)});
  return {from_channels_last(y, true)};
}

Tensor instance_normalized(const Call& call) {
  const Tensor& x = call[0];
  ReduceAttrs attrs{.keep_dims = true};
  for (int i = 2; i < x.rank(); ++i) attrs.axes.push_back(i);
  check_shape(!attrs.axes.empty(), "expected an input of rank 3 or more, got ", x.shape());
  const Tensors found = moments(x, attrs);
  const Tensor scaled = mul(sub(x, found[0]), rsqrt(add(found[1], Tensor::scalar(epsilon_of(call)))));
  return add(mul(scaled, per_channel(call[1], x.rank())), per_channel(call[2], x.rank()));
}

EdgeValues layer_normalized(const Call& call) {
  const Tensor& x = call[0];
  ReduceAttrs attrs{.keep_dims = true};
  for (int i = normalize_axis(call.attrs().integer("axis", -1), x.rank()); i < x.rank(); ++i)
    attrs.axes.push_back(i);
  const Tensors found = moments(x, attrs);
  const Tensor inverse = rsqrt(add(found[1], Tensor::scalar(epsilon_of(call))));
  Tensor y = mul(mul(sub(x, found[0]), inverse), call[1]);
  if (const Tensor bias = optional(call, 2)) y = add(y, bias);
  return {y, found[0], inverse};
}

/// Normalizes groups of channels. From opset 21 on the scale and the bias are those of channels.
Tensor groups_normalized(const Call& call) {
  const Tensor& x = call[0];
  const std::int32_t groups = call.attrs().integer("num_groups", 0);
  check_shape(x.rank() >= 3 && groups > 0 && x.dim(1) % groups == 0, "attribute \"num_groups\" is ", groups,
              " for an input of ", x.shape());
  const Tensor parts = reshape(x, {Shape{x.dim(0), groups, -1}});
  const Tensors found = moments(parts, {.axes = {2}, .keep_dims = true});
  const Tensor scaled = mul(sub(parts, found[0]), rsqrt(add(found[1], Tensor::scalar(epsilon_of(call)))));
  const auto affine = [&](const Tensor& y, const Shape& shape) {
    return reshape(add(mul(y, reshape(call[1], {shape})), reshape(call[2], {shape})), {x.shape()});
  };
  if (call[1].dim(0) == groups) return affine(scaled, {groups, 1});
  return affine(reshape(scaled, {Shape{x.dim(0), x.dim(1), -1}}), {x.dim(1), 1});
}

/// Divides by the root of the mean square.
Tensor rms_normalized(const Call& call) {
  const Tensor& x = call[0];
  ReduceAttrs attrs{.keep_dims = true};
  for (int i = normalize_axis(call.attrs().integer("axis", -1), x.rank()); i < x.rank(); ++i)
    attrs.axes.push_back(i);
  const Tensor inverse = rsqrt(add(mean(square(x), attrs), Tensor::scalar(epsilon_of(call))));
  return mul(mul(x, inverse), call[1]);
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

/// Runs an op of the last axis along the attribute "axis". Before opset 13 all axes from that on were one.
template <Op op>
Tensor along_axis(const Call& call) {
  const Tensor& x = call[0];
  if (x.rank() == 0) return run(op, {&x});
  const bool flattens = opset(call) < 13;
  const int axis = normalize_axis(call.attrs().integer("axis", flattens ? 1 : -1), x.rank());
  if (flattens) {
    const Tensor flat = reshape(x, {Shape{static_cast<std::int32_t>(x.shape().elements(0, axis)), -1}});
    return reshape(run(op, {&flat}), {x.shape()});
  }
  if (axis == x.rank() - 1) return run(op, {&x});
  PermutationAttrs swapped;
  for (int i = 0; i < x.rank(); ++i) swapped.perm.push_back(i);
  std::swap(swapped.perm[axis], swapped.perm.back());
  const Tensor moved = transpose(x, swapped);
  return transpose(run(op, {&moved}), swapped);
}

/// Returns 1 at the first maximum along the axis, 0 elsewhere. Before opset 13 all axes from that on were
/// one.
Tensor hard_maximum(const Call& call) {
  const Tensor& x = call[0];
  const bool flattens = opset(call) < 13;
  const int axis = normalize_axis(call.attrs().integer("axis", flattens ? 1 : -1), x.rank());
  const Tensor values =
      flattens ? reshape(x, {Shape{static_cast<std::int32_t>(x.shape().elements(0, axis)), -1}}) : x;
  const int along = flattens ? 1 : axis;
  const Tensor hot = one_hot(arg_max(values, {along}), {.depth = values.dim(along), .dtype = x.dtype()});
  PermutationAttrs order;
  for (int i = 0; i + 1 < hot.rank(); ++i) order.perm.push_back(i);
  order.perm.insert(along, hot.rank() - 1);
  return reshape(along == hot.rank() - 1 ? hot : transpose(hot, order), {x.shape()});
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
    {"BatchNormalization", batch_normalized},
    {"GroupNormalization", groups_normalized},
    {"Hardmax", hard_maximum},
    {"InstanceNormalization", instance_normalized},
    {"LRN", channels_normalized},
    {"LayerNormalization", layer_normalized},
    {"LogSoftmax", along_axis<Op::log_softmax>},
    {"LpNormalization", norm_normalized},
    {"MeanVarianceNormalization", standardized},
    {"RMSNormalization", rms_normalized},
    {"Softmax", along_axis<Op::softmax>},
};

}  // namespace

std::span<const Row> normalization_rows() { return kRows; }

}  // namespace tenure::onnx
