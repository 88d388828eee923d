#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kApproximate[] = {{"approximate", 0, Option::kByte}};
constexpr Option kResponseOptions[] = {{"radius", 0, Option::kInt},
                                       {"bias", 1, Option::kFloat},
                                       {"alpha", 2, Option::kFloat},
                                       {"beta", 3, Option::kFloat}};

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

Tensor elu_1(const Call& call) { return elu(call[0], {1}); }
Tensor between_0_and_1(const Call& call) { return clip_by_value(call[0], {.min = 0, .max = 1}); }
Tensor between_n1_and_1(const Call& call) { return clip_by_value(call[0], {.min = -1, .max = 1}); }

Tensor apply_gelu(const Call& call) {
  return call.attrs().integer("approximate", 0) != 0 ? gelu_new(call[0]) : gelu(call[0]);
}

constexpr OpRow kRows[] = {
    {111, {"ELU", elu_1}},
    {150, {"GELU", apply_gelu}, kApproximate},
    {20, {"RELU_N1_TO_1", between_n1_and_1}},
    {21, {"RELU6", Op::relu6, 1}},
    {152, {"RELU_0_TO_1", between_0_and_1}},
    {11, {"L2_NORMALIZATION", unit_length}, kActivationOption},
    {13, {"LOCAL_RESPONSE_NORMALIZATION", normalized_by_neighbors}, kResponseOptions},
};

}  // namespace

std::span<const OpRow> rare_activation_rows() { return kRows; }

}  // namespace tenure::tflite
