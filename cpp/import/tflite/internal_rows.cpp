#include "import/tflite/internal_rows.h"

#include "ops/ops.h"

namespace tenure::tflite {
namespace internal {
namespace {

Tensor constant(const Call& call) { return call.node().constant; }

float read_number(const Call& call, std::string_view name) {
  return static_cast<float>(call.attrs().number(name, 0));
}

Tensor clamp(const Call& call, const Tensor& x) {
  return clip_by_value(x, {.min = read_number(call, "low"), .max = read_number(call, "high")});
}

Tensor to_float(const Call& call) { return as_dtype(call[0], DType::kFloat32); }
Tensor dequantized(const Call& call) { return mul(call[0], Tensor::scalar(read_number(call, "scale"))); }
Tensor quantized(const Call& call) {
  return clamp(call, round(div(call[0], Tensor::scalar(read_number(call, "scale")))));
}

Tensor rescaled(const Call& call) { return rescale(call, call[0]); }

Tensor stored(const Call& call) {
  const Tensor zero = Tensor::scalar(read_number(call, "zero"));
  return cast(add(call[0], zero), {DType::kInt32});
}
Tensor loaded(const Call& call) {
  return sub(cast(call[0], {DType::kFloat32}), Tensor::scalar(read_number(call, "zero")));
}

}  // namespace
}  // namespace internal

Tensor rescale(const Call& call, const Tensor& sums) {
  // Sums of products are whole numbers. Rounding them before they are scaled takes away the errors of the
  // float32 kernels, and keeps passes from folding the scales into the weights, which are whole numbers too.
  return internal::clamp(call, round(mul(round(sums), call.attrs().tensor("scales"))));
}

Tensor convolve_integers(const Call& call, const Tensor& x, const Tensor& filter, IntegerConvAttrs attrs) {
  attrs.low = internal::read_number(call, "low");
  attrs.high = internal::read_number(call, "high");
  return conv2d_integer(x, filter, optional(call, 2), call.attrs().tensor("scales"), attrs);
}

namespace internal {

constexpr Row kIfRow{"IF", Control::kIf};
constexpr Row kCaseRow{"STABLEHLO_CASE", Control::kCase};
constexpr Row kWhileRow{"WHILE", Control::kWhile};
constexpr Row kCompositeRow{"STABLEHLO_COMPOSITE", Control::kCall};
constexpr Row kConstantRow{"constant", constant};
constexpr Row kToFloatRow{"to float", to_float};
constexpr Row kDequantizeRow{"dequantize", dequantized};
constexpr Row kQuantizeRow{"quantize", quantized};
constexpr Row kRescaleRow{"rescale", rescaled};
constexpr Row kStoreRow{"store", stored};
constexpr Row kLoadRow{"load", loaded};

Attributes make_attributes(std::initializer_list<std::pair<std::string_view, double>> numbers) {
  Attributes attrs;
  for (const auto& [name, number] : numbers) add_number(attrs, name, number);
  return attrs;
}

}  // namespace internal

}  // namespace tenure::tflite
