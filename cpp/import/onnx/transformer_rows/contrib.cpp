// Ops of com.microsoft that onnxruntime's optimizer writes.

#include "import/onnx/families.h"
#include "import/onnx/rows/activation.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

float read_epsilon(const Call& call, double otherwise) {
  return static_cast<float>(call.attrs().number("epsilon", otherwise));
}

struct Normalized {
  Tensor y;
  Tensor mean;
  Tensor inverse;  ///< reciprocal of the standard deviation, or of the root of the mean square
};

/// Normalizes the axes from `axis` on.
Normalized normalize(const Tensor& x, int axis, float epsilon, bool centers) {
  ReduceAttrs attrs{.keep_dims = true};
  for (int i = normalize_axis(axis, x.rank()); i < x.rank(); ++i) attrs.axes.push_back(i);
  if (!centers) {
    const Tensor inverse = rsqrt(add(mean(square(x), attrs), Tensor::scalar(epsilon)));
    return {mul(x, inverse), {}, inverse};
  }
  const Tensors found = moments(x, attrs);
  const Tensor inverse = rsqrt(add(found[1], Tensor::scalar(epsilon)));
  return {mul(sub(x, found[0]), inverse), found[0], inverse};
}

Tensor add_optional(const Tensor& x, const Tensor& bias) { return bias ? add(x, bias) : x; }

EdgeValues simplified_norm(const Call& call) {
  const Normalized found =
      normalize(call[0], call.attrs().integer("axis", -1), read_epsilon(call, 1e-5), false);
  return {mul(found.y, call[1]), found.inverse};
}

/// Normalizes the sum of two inputs and a bias. The fourth output is this sum.
template <bool centers>
EdgeValues skip_norm(const Call& call) {
  const int bias = centers ? 4 : 3;
  const Tensor sum = add_optional(add(call[0], call[1]), optional(call, bias));
  const Normalized found = normalize(sum, -1, read_epsilon(call, 1e-12), centers);
  Tensor y = mul(found.y, call[2]);
  if (centers) y = add_optional(y, optional(call, 3));
  return {y, found.mean, found.inverse, sum};
}

/// Adds the embeddings of words, positions and segments, and normalizes. Also returns the lengths that the
/// mask has, and the sum.
EdgeValues embedded(const Call& call) {
  const Tensor words = as_indices(call[0]);
  check_shape(words.rank() == 2, "expected words of rank 2, got ", words.shape());
  const std::int32_t batch = words.dim(0);
  const std::int32_t length = words.dim(1);
  const auto rows = [](const Tensor& all, const Tensor& at) {
    return gather(all, as_indices(at), {.axis = 0});
  };
  const Tensor positions =
      has(call, 8) ? call[8] : range({.step = 0, .int_step = 1, .count = length, .dtype = DType::kInt32});
  Tensor sum_of_all = add(rows(call[2], words), rows(call[3], positions));
  if (has(call, 1) && has(call, 4)) sum_of_all = add(sum_of_all, rows(call[4], call[1]));
  const Normalized found = normalize(sum_of_all, -1, read_epsilon(call, 1e-12), true);
  const Tensor lengths = has(call, 7) ? sum(as_indices(call[7]), {.axes = {1}})
                                      : fill({.shape = {batch}, .dtype = DType::kInt32});
  return {add(mul(found.y, call[5]), call[6]), lengths, sum_of_all};
}

Tensor fast_gelu(const Call& call) { return gelu_new(add_optional(call[0], optional(call, 1))); }
Tensor bias_gelu(const Call& call) { return gelu(add(call[0], call[1])); }

Tensor quick_gelu(const Call& call) {
  const auto alpha = static_cast<float>(call.attrs().number("alpha", 1.702));
  return mul(call[0], sigmoid(mul(call[0], Tensor::scalar(alpha))));
}

/// Moves the first axis behind those of the batch, where the node has the flag.
Tensor move_rows(const Call& call, int input, std::string_view flag) {
  const Tensor& x = call[input];
  if (!call.attrs().flag(flag) || x.rank() < 3) return x;
  PermutationAttrs order;
  for (int i = 1; i + 1 < x.rank(); ++i) order.perm.push_back(i);
  order.perm.push_back(0);
  order.perm.push_back(x.rank() - 1);
  return transpose(x, order);
}

Tensor fused_product(const Call& call) {
  const auto alpha = static_cast<float>(call.attrs().number("alpha", 1));
  const Tensor product =
      mat_mul(move_rows(call, 0, "transBatchA"), move_rows(call, 1, "transBatchB"),
              {.transpose_a = call.attrs().flag("transA"), .transpose_b = call.attrs().flag("transB")});
  return alpha == 1 ? product : mul(product, Tensor::scalar(alpha));
}

/// Adds a bias and another tensor.
Tensor bias_add(const Call& call) { return add(add(call[0], call[1]), call[2]); }

/// Adds a bias, and multiplies one half of the last axis by gelu() of the other.
Tensor bias_split_gelu(const Call& call) {
  const Tensor x = add(call[0], call[1]);
  check_shape(x.rank() > 0 && x.shape().back() % 2 == 0, "an input of ", x.shape(), " has no two halves");
  const std::int32_t half = x.shape().back() / 2;
  const Tensors parts = split(x, {.sizes = std::vector<std::int32_t>{half, half}, .axis = x.rank() - 1});
  return mul(parts[0], gelu(parts[1]));
}

/// Conv, and another tensor that is added to its result, with an activation.
Tensor fused_conv(const Call& call) {
  Tensor y = find_row("", "Conv")->one(call);
  if (has(call, 3)) y = add(y, call[3]);
  const std::string_view name = call.attrs().string("activation");
  if (name.empty()) return y;
  const bool clips = name == "Clip";
  Activation how = clips ? Activation{name, 2} : get_activation(name);
  const std::span<const double> parameters = call.attrs().numbers("activation_params");
  check(parameters.size() >= static_cast<std::size_t>(how.parameters), "the activation \"", name, "\" has ",
        parameters.size(), " parameters, expected ", how.parameters);
  if (how.parameters > 0) how.alpha = static_cast<float>(parameters[0]);
  if (how.parameters > 1) how.beta = static_cast<float>(parameters[1]);
  return clips ? clip_by_value(y, {.min = how.alpha, .max = how.beta}) : activate(y, how);
}

/// Gemm with an activation.
Tensor fused_gemm(const Call& call) {
  Tensor y = find_row("", "Gemm")->one(call);
  const std::string_view name = call.attrs().string("activation");
  if (name.empty()) return y;
  Activation how = get_activation(name);
  how.alpha = static_cast<float>(call.attrs().number("activation_alpha", how.alpha));
  how.beta = static_cast<float>(
      call.attrs().number(name == "Selu" ? "activation_gamma" : "activation_beta", how.beta));
  return activate(y, how);
}

constexpr Row kContribRows[] = {
    {"BiasAdd", bias_add},
    {"BiasGelu", bias_gelu},
    {"BiasSplitGelu", bias_split_gelu},
    {"EmbedLayerNormalization", embedded},
    {"FastGelu", fast_gelu},
    {"FusedConv", fused_conv},
    {"FusedGemm", fused_gemm},
    {"FusedMatMul", fused_product},
    {"Gelu", Op::gelu, 1},
    {"QuickGelu", quick_gelu},
    {"SimplifiedLayerNormalization", simplified_norm},
    {"SkipLayerNormalization", skip_norm<true>},
    {"SkipSimplifiedLayerNormalization", skip_norm<false>},
    {"TransposeMatMul", fused_product},
};

/// onnxruntime writes this op into the standard domain.
constexpr Row kRows[] = {{"SimplifiedLayerNormalization", simplified_norm}};

}  // namespace

std::span<const Row> contrib_rows() { return kContribRows; }
std::span<const Row> simplified_rows() { return kRows; }

}  // namespace tenure::onnx
