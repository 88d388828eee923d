// Ops of com.microsoft on values of 8 bits, each with a scale and a zero point, as quantizers write them.

#include "import/onnx/families.h"
#include "import/onnx/quantized_rows/quantized.h"
#include "import/onnx/rows/normalization.h"
#include "import/onnx/rows/pooling.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

Tensor to_scalar(const Tensor& x) { return reshape(x, {Shape{}}); }

/// Returns input i as float32. The next two inputs are its scale and its zero point, which may be left out.
Tensor dequantize_input(const Call& call, int i) {
  const Tensor zero = optional(call, i + 2);
  return dequantize(call[i], to_scalar(call[i + 1]), zero ? to_scalar(zero) : zero);
}

/// Quantizes x with the scale of input i and the zero point of the next input, to the type of input `like`.
Tensor quantize(const Call& call, const Tensor& x, int i, int like) {
  const Tensor zero = optional(call, i + 1);
  return saturate_to(div(x, to_scalar(call[i])), zero ? to_scalar(zero) : zero, element_type(call, like));
}

template <Op op>
Tensor binary(const Call& call) {
  const Tensor a = dequantize_input(call, 0);
  const Tensor b = dequantize_input(call, 3);
  return quantize(call, run(op, {&a, &b}), 6, 0);
}

/// Returns the result of an op of one tensor: its scale and zero point are inputs 3 and 4.
Tensor quantize_unary(const Call& call, const Tensor& y) { return quantize(call, y, 3, 0); }

Tensor leaky_relu_quantized(const Call& call) {
  const auto alpha = static_cast<float>(call.attrs().number("alpha", 0.01));
  return quantize_unary(call, leaky_relu(dequantize_input(call, 0), {alpha}));
}

Tensor sigmoid_quantized(const Call& call) {
  return quantize_unary(call, sigmoid(dequantize_input(call, 0)));
}

/// The node states the op set of the Softmax that it stands for.
Tensor softmax_quantized(const Call& call) {
  const bool flattens = call.attrs().integer("opset", 13) < 13;
  const int axis = call.attrs().integer("axis", flattens ? 1 : -1);
  return quantize_unary(call, run_along_axis(Op::softmax, dequantize_input(call, 0), axis, flattens));
}

Tensor average_pool(const Call& call) {
  check(!call.attrs().flag("channels_last"), "channels last are not supported");
  const CountedPads counted =
      call.attrs().flag("count_include_pad") ? CountedPads::kGiven : CountedPads::kNone;
  return quantize_unary(call, average_windows(call, dequantize_input(call, 0), counted));
}

Tensor global_average_pool(const Call& call) {
  const Tensor x = dequantize_input(call, 0);
  const int first = call.attrs().flag("channels_last") ? 1 : 2;
  ReduceAttrs attrs{.keep_dims = true};
  for (int i = first; i < x.rank() + first - 2; ++i) attrs.axes.push_back(i);
  return quantize_unary(call, attrs.axes.empty() ? x : mean(x, attrs));
}

/// Joins tensors, each of which is three inputs from input 2 on.
Tensor concat_quantized(const Call& call) {
  check(call.size() > 2 && call.size() % 3 == 2, "it has ", call.size(), " inputs");
  Tensors parts;
  for (int i = 2; i < call.size(); i += 3) parts.push_back(dequantize_input(call, i));
  return quantize(call, concat(parts, {call.attrs().integer("axis", 1)}), 0, 1);
}

Tensor where_quantized(const Call& call) {
  return quantize(call, where(call[0], dequantize_input(call, 1), dequantize_input(call, 4)), 7, 1);
}

/// Multiplies matrices, and adds a bias of int32. The result is float32 without a scale for it.
Tensor gemm(const Call& call) {
  const auto matrix = [&](int i, std::string_view is_transposed) {
    check_shape(call[i].rank() == 2, "expected a matrix, got ", call[i].shape());
    return call.attrs().flag(is_transposed) ? transpose(call[i]) : call[i];
  };
  Tensor sums =
      integer_product(matrix(0, "transA"), optional(call, 2), matrix(3, "transB"), optional(call, 5));
  if (has(call, 6)) sums = add(sums, call[6]);
  const auto alpha = static_cast<float>(call.attrs().number("alpha", 1));
  const Tensor factor = mul(mul(to_scalar(call[1]), call[4]), Tensor::scalar(alpha));
  const Tensor real = mul(to_float(sums), factor);
  return has(call, 7) ? quantize(call, real, 7, 8) : real;
}

constexpr Row kContribRows[] = {
    {"QGemm", gemm},
    {"QLinearAdd", binary<Op::add>},
    {"QLinearAveragePool", average_pool},
    {"QLinearConcat", concat_quantized},
    {"QLinearGlobalAveragePool", global_average_pool},
    {"QLinearLeakyRelu", leaky_relu_quantized},
    {"QLinearMul", binary<Op::mul>},
    {"QLinearSigmoid", sigmoid_quantized},
    {"QLinearSoftmax", softmax_quantized},
    {"QLinearWhere", where_quantized},
};

}  // namespace

std::span<const Row> linear_quantized_rows() { return kContribRows; }

}  // namespace tenure::onnx
