#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kAlpha[] = {{"alpha", 0, Option::kFloat}};
constexpr Option kBeta[] = {{"beta", 0, Option::kFloat}};

Tensor leaky(const Call& call) {
  return leaky_relu(call[0], {static_cast<float>(call.attrs().number("alpha", 0))});
}
/// x relu6(x + 3) / 6.
Tensor hard_swish(const Call& call) {
  const Tensor& x = call[0];
  const Tensor shifted = add(x, Tensor::scalar(3.0F));
  return mul(mul(x, run(Op::relu6, {&shifted})), Tensor::scalar(1.0F / 6));
}

Tensor normalized(const Call& call) {
  const auto beta = static_cast<float>(call.attrs().number("beta", 1));
  return softmax(beta == 1 ? call[0] : mul(call[0], Tensor::scalar(beta)));
}

Tensor parametric(const Call& call) {
  const Tensor& alpha = call[1];
  // A common alpha of [1, 1, channels] becomes a vector, which kernels apply as an epilogue.
  if (alpha.rank() > 1 && alpha.elements() == static_cast<std::size_t>(alpha.shape().back()))
    return prelu(call[0], reshape(alpha, {Shape{-1}}));
  return prelu(call[0], alpha);
}

constexpr OpRow kRows[] = {
    {14, {"LOGISTIC", Op::sigmoid, 1}},        {19, {"RELU", Op::relu, 1}},
    {25, {"SOFTMAX", normalized}, kBeta},      {28, {"TANH", Op::tanh, 1}},
    {50, {"LOG_SOFTMAX", Op::log_softmax, 1}}, {54, {"PRELU", parametric}},
    {98, {"LEAKY_RELU", leaky}, kAlpha},       {117, {"HARD_SWISH", hard_swish}},
};

}  // namespace

std::span<const OpRow> activation_rows() { return kRows; }

}  // namespace tenure::tflite
