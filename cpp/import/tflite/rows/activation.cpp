#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kAlpha[] = {{"alpha", 0, Option::kFloat}};
constexpr Option kBeta[] = {{"beta", 0, Option::kFloat}};
constexpr Option kApproximate[] = {{"approximate", 0, Option::kByte}};
constexpr Option kResponseOptions[] = {{"radius", 0, Option::kInt},
                                       {"bias", 1, Option::kFloat},
                                       {"alpha", 2, Option::kFloat},
                                       {"beta", 3, Option::kFloat}};

Tensor leaky(const Call& call) {
  return leaky_relu(call[0], {static_cast<float>(call.attrs().number("alpha", 0))});
}
Tensor elu_of_1(const Call& call) { return elu(call[0], {1}); }
Tensor between_0_and_1(const Call& call) { return clip_by_value(call[0], {.min = 0, .max = 1}); }
Tensor between_n1_and_1(const Call& call) { return clip_by_value(call[0], {.min = -1, .max = 1}); }

/// x relu6(x + 3) / 6.
Tensor hard_swish(const Call& call) {
  const Tensor& x = call[0];
  const Tensor shifted = add(x, Tensor::scalar(3.0F));
  return mul(mul(x, run(Op::relu6, {&shifted})), Tensor::scalar(1.0F / 6));
}

Tensor gelu_of(const Call& call) {
  return call.attrs().integer("approximate", 0) != 0 ? gelu_new(call[0]) : gelu(call[0]);
}

Tensor normalized(const Call& call) {
  const auto beta = static_cast<float>(call.attrs().number("beta", 1));
  return softmax(beta == 1 ? call[0] : mul(call[0], Tensor::scalar(beta)));
}

/// Divides by the Euclidean norm along the last axis.
Tensor unit_length(const Call& call) {
  const Tensor& x = call[0];
  const Tensor squares = sum(square(x), {.axes = {-1}, .keep_dims = true});
  return activate(call, mul(x, rsqrt(maximum(squares, Tensor::scalar(1e-12F)))));
}

Tensor normalized_by_neighbors(const Call& call) {
  const auto number = [&](std::string_view name) { return static_cast<float>(call.attrs().number(name, 0)); };
  return local_response_norm(call[0], {.radius = call.attrs().integer("radius", 0),
                                       .bias = number("bias"),
                                       .alpha = number("alpha"),
                                       .beta = number("beta")});
}

Tensor parametric(const Call& call) {
  const Tensor& alpha = call[1];
  // A common alpha of [1, 1, channels] becomes a vector, which kernels apply as an epilogue.
  if (alpha.rank() > 1 && alpha.elements() == static_cast<std::size_t>(alpha.shape().back()))
    return prelu(call[0], reshape(alpha, {Shape{-1}}));
  return prelu(call[0], alpha);
}

constexpr OpRow kRows[] = {
    {11, {"L2_NORMALIZATION", unit_length}, kActivationOption},
    {13, {"LOCAL_RESPONSE_NORMALIZATION", normalized_by_neighbors}, kResponseOptions},
    {14, {"LOGISTIC", Op::sigmoid, 1}},
    {19, {"RELU", Op::relu, 1}},
    {20, {"RELU_N1_TO_1", between_n1_and_1}},
    {21, {"RELU6", Op::relu6, 1}},
    {25, {"SOFTMAX", normalized}, kBeta},
    {28, {"TANH", Op::tanh, 1}},
    {50, {"LOG_SOFTMAX", Op::log_softmax, 1}},
    {54, {"PRELU", parametric}},
    {98, {"LEAKY_RELU", leaky}, kAlpha},
    {111, {"ELU", elu_of_1}},
    {117, {"HARD_SWISH", hard_swish}},
    {150, {"GELU", gelu_of}, kApproximate},
    {152, {"RELU_0_TO_1", between_0_and_1}},
};

}  // namespace

std::span<const OpRow> activation_rows() { return kRows; }

}  // namespace tenure::tflite
