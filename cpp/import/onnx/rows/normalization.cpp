#include "import/onnx/rows/normalization.h"

#include "import/onnx/families.h"
#include "model/passes/channels_last.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

float get_epsilon(const Call& call) { return static_cast<float>(call.attrs().number("epsilon", 1e-5)); }

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
  const Tensor inverse = rsqrt(add(found[1], Tensor::scalar(get_epsilon(call))));
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
      batch_norm(to_channels_last(call[0], true), call[3], call[4], call[2], call[1], {get_epsilon(call)});
  return {from_channels_last(y, true)};
}

Tensor instance_normalized(const Call& call) {
  const Tensor& x = call[0];
  ReduceAttrs attrs{.keep_dims = true};
  for (int i = 2; i < x.rank(); ++i) attrs.axes.push_back(i);
  check_shape(!attrs.axes.empty(), "expected an input of rank 3 or more, got ", x.shape());
  const Tensors found = moments(x, attrs);
  const Tensor scaled = mul(sub(x, found[0]), rsqrt(add(found[1], Tensor::scalar(get_epsilon(call)))));
  return add(mul(scaled, per_channel(call[1], x.rank())), per_channel(call[2], x.rank()));
}

EdgeValues layer_normalized(const Call& call) {
  const Tensor& x = call[0];
  ReduceAttrs attrs{.keep_dims = true};
  for (int i = normalize_axis(call.attrs().integer("axis", -1), x.rank()); i < x.rank(); ++i)
    attrs.axes.push_back(i);
  const Tensors found = moments(x, attrs);
  const Tensor inverse = rsqrt(add(found[1], Tensor::scalar(get_epsilon(call))));
  Tensor y = mul(mul(sub(x, found[0]), inverse), call[1]);
  if (const Tensor bias = optional(call, 2)) y = add(y, bias);
  return {y, found[0], inverse};
}

/// Divides by the root of the mean square.
Tensor rms_normalized(const Call& call) {
  const Tensor& x = call[0];
  ReduceAttrs attrs{.keep_dims = true};
  for (int i = normalize_axis(call.attrs().integer("axis", -1), x.rank()); i < x.rank(); ++i)
    attrs.axes.push_back(i);
  const Tensor inverse = rsqrt(add(mean(square(x), attrs), Tensor::scalar(get_epsilon(call))));
  return mul(mul(x, inverse), call[1]);
}

/// Runs an op along the attribute "axis". Before opset 13 all axes from that on were one.
template <Op op>
Tensor along_axis(const Call& call) {
  const bool flattens = opset(call) < 13;
  return run_along_axis(op, call[0], call.attrs().integer("axis", flattens ? 1 : -1), flattens);
}

constexpr Row kRows[] = {
    {"BatchNormalization", batch_normalized}, {"InstanceNormalization", instance_normalized},
    {"LayerNormalization", layer_normalized}, {"LogSoftmax", along_axis<Op::log_softmax>},
    {"RMSNormalization", rms_normalized},     {"Softmax", along_axis<Op::softmax>},
};

}  // namespace

std::span<const Row> normalization_rows() { return kRows; }

Tensor run_along_axis(Op op, const Tensor& x, int axis, bool flattens) {
  if (x.rank() == 0) return run(op, {&x});
  const int at = normalize_axis(axis, x.rank());
  if (flattens) {
    const Tensor flat = reshape(x, {Shape{static_cast<std::int32_t>(x.shape().elements(0, at)),
                                          static_cast<std::int32_t>(x.shape().elements(at, x.rank()))}});
    return reshape(run(op, {&flat}), {x.shape()});
  }
  if (at == x.rank() - 1) return run(op, {&x});
  PermutationAttrs swapped;
  for (int i = 0; i < x.rank(); ++i) swapped.perm.push_back(i);
  std::swap(swapped.perm[at], swapped.perm.back());
  const Tensor moved = transpose(x, swapped);
  return transpose(run(op, {&moved}), swapped);
}

}  // namespace tenure::onnx
