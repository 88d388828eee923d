#include "geometry/conv.h"
#include "ops/infer.h"

namespace tenure::infer {
namespace {

void check_float(const char* argument, const char* name, const Tensor& tensor) {
  check(tensor.dtype() == DType::kFloat32, "Argument '", argument, "' passed to '", name,
        "' must be float32 tensor, but got ", name_of(tensor.dtype()), " tensor");
}

void check_inputs(const char* name, Inputs in) {
  check_float("x", name, in[0]);
  check_float("filter", name, in[1]);
}

void check_bias(const char* name, Inputs in, std::int32_t channels) {
  if (!in.has(2)) return;
  check_float("bias", name, in[2]);
  const Shape& shape = in[2].shape();
  const std::int64_t count = static_cast<std::int64_t>(shape.elements());
  check_shape(count == 1 || (count == channels && shape.back() == channels), "Error in fused ", name,
              ": bias shape (", shape, ") is not compatible with the number of output channels (", channels,
              ")");
}

}  // namespace

TensorSpec conv2d(Inputs in, const ConvAttrs& attrs) {
  check_inputs("conv2d", in);
  const ConvGeometry geometry = conv2d_geometry(in[0].shape(), in[1].shape(), attrs);
  check_bias("conv2d", in, geometry.out_channels);
  return {geometry.output(), DType::kFloat32};
}

TensorSpec depthwise_conv2d(Inputs in, const ConvAttrs& attrs) {
  check_inputs("depthwiseConv2d", in);
  const ConvGeometry geometry = depthwise_conv2d_geometry(in[0].shape(), in[1].shape(), attrs);
  check_bias("depthwiseConv2d", in, geometry.out_channels);
  return {geometry.output(), DType::kFloat32};
}

TensorSpec conv2d_transpose(Inputs in, const ConvTransposeAttrs& attrs) {
  check_inputs("conv2dTranspose", in);
  conv2d_transpose_geometry(in[0].shape(), in[1].shape(), attrs);
  return {Shape(attrs.output_shape), DType::kFloat32};
}

}  // namespace tenure::infer
