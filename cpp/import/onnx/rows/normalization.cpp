#include "import/onnx/families.h"
#include "model/passes/channels_last.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

float epsilon_of(const Call& call) { return static_cast<float>(call.attrs().number("epsilon", 1e-5)); }

EdgeValues batch_normalized(const Call& call) {
  check(!call.attrs().flag("training_mode"), "its training mode is not supported");
  check(opset(call) >= 7 || call.attrs().flag("is_test"), "its training mode is not supported");
  const Tensor y =
      batch_norm(to_channels_last(call[0], true), call[3], call[4], call[2], call[1], {epsilon_of(call)});
  return {from_channels_last(y, true)};
}

/// Reshapes [channels] so that it broadcasts to [batch, channels, ...].
Tensor per_channel(const Tensor& values, int rank) {
  Shape shape{static_cast<std::int32_t>(values.elements())};
  for (int i = 2; i < rank; ++i) shape.push_back(1);
  return reshape(values, {shape});
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
    {"InstanceNormalization", instance_normalized},
    {"LRN", channels_normalized},
    {"LayerNormalization", layer_normalized},
    {"LogSoftmax", along_axis<Op::log_softmax>},
    {"Softmax", along_axis<Op::softmax>},
};

}  // namespace

std::span<const Row> normalization_rows() { return kRows; }

}  // namespace tenure::onnx
