#include "shape_util/conv.h"
#include "ops/autodiff/gradient.h"
#include "ops/infer.h"
#include "ops/movement/slice.h"
#include "ops/ops.h"

namespace tenure::infer {
namespace {

void check_bias(const char* name, Inputs in, std::int32_t channels) {
  if (!in.has(2)) return;
  const Shape& shape = in[2].shape();
  const std::int64_t count = static_cast<std::int64_t>(shape.elements());
  check_shape(count == 1 || (count == channels && shape.back() == channels), "Error in fused ", name,
              ": bias shape (", shape, ") is not compatible with the number of output channels (", channels,
              ")");
}

void check_gradient(const char* name, const Shape& expected, const Shape& given) {
  check_shape(given == expected, "expected ", name, " of shape ", expected, ", got ", given);
}

}  // namespace

TensorSpec conv2d(Inputs in, const ConvAttrs& attrs) {
  const ConvGeometry geometry = conv2d_geometry(in[0].shape(), in[1].shape(), attrs);
  check_bias("conv2d", in, geometry.out_channels);
  return {geometry.output(), DType::kFloat32};
}

TensorSpec depthwise_conv2d(Inputs in, const ConvAttrs& attrs) {
  const ConvGeometry geometry = depthwise_conv2d_geometry(in[0].shape(), in[1].shape(), attrs);
  check_bias("depthwiseConv2d", in, geometry.out_channels);
  return {geometry.output(), DType::kFloat32};
}

TensorSpec conv2d_transpose(Inputs in, const ConvTransposeAttrs& attrs) {
  conv2d_transpose_geometry(in[0].shape(), in[1].shape(), attrs);
  return {Shape(attrs.output_shape), DType::kFloat32};
}

TensorSpec conv2d_backprop_filter(Inputs in, const ConvTransposeAttrs& attrs) {
  const Shape filter(attrs.output_shape);
  filter.validate();
  const ConvGeometry geometry = conv2d_geometry(in[0].shape(), filter, get_forward_attrs(attrs));
  check_gradient("dy", geometry.output(), in[1].shape());
  check_shape(geometry.groups == 1, "expected a filter of ", in[0].dim(3), " channels, got ", filter[2]);
  return {filter, DType::kFloat32};
}

TensorSpec depthwise_conv2d_backprop_input(Inputs in, const ConvTransposeAttrs& attrs) {
  const Shape x(attrs.output_shape);
  x.validate();
  check_gradient("dy", depthwise_conv2d_geometry(x, in[1].shape(), get_forward_attrs(attrs)).output(),
                 in[0].shape());
  return {x, DType::kFloat32};
}

TensorSpec depthwise_conv2d_backprop_filter(Inputs in, const ConvTransposeAttrs& attrs) {
  const Shape filter(attrs.output_shape);
  filter.validate();
  check_gradient("dy", depthwise_conv2d_geometry(in[0].shape(), filter, get_forward_attrs(attrs)).output(),
                 in[1].shape());
  return {filter, DType::kFloat32};
}

}  // namespace tenure::infer

// One trilinear form of x, the filter and dy defines these ops, so each gradient of a gradient is another of
// them.
namespace tenure::grad {
namespace {

/// Returns the gradients of x and of the filter, as far as `asked` needs them.
Tensors conv_gradients(const GradientArgs& asked, const Tensor& x, const Tensor& filter, const Tensor& g,
                       const ConvAttrs& attrs) {
  return {asked.needs_grad(0) ? conv2d_transpose(g, filter, get_backward_attrs(attrs, x.shape())) : Tensor(),
          asked.needs_grad(1) ? conv2d_backprop_filter(x, g, get_backward_attrs(attrs, filter.shape()))
                              : Tensor()};
}

// Each group of channels is a separate convolution.
Tensors grouped_conv_gradients(const GradientArgs& args, const ConvAttrs& attrs) {
  const Tensor& x = args.in[0];
  const Tensor& filter = args.in[1];
  const std::int32_t in = filter.dim(2);
  const std::int32_t groups = x.dim(3) / in;
  const std::int32_t out = filter.dim(3) / groups;
  Tensors parts[2];
  for (std::int32_t i = 0; i < groups; ++i) {
    const Tensors gradients =
        conv_gradients(args, slice_axis(x, 3, i * in, in), slice_axis(filter, 3, i * out, out),
                       slice_axis(args.g, 3, i * out, out), attrs);
    for (int k = 0; k < 2; ++k) {
      if (gradients[static_cast<std::size_t>(k)]) parts[k].push_back(gradients[static_cast<std::size_t>(k)]);
    }
  }
  const auto whole = [](const Tensors& list) { return list.empty() ? Tensor() : concat(list, {3}); };
  return {whole(parts[0]), whole(parts[1])};
}

}  // namespace

Tensors conv2d(const GradientArgs& args, const ConvAttrs& attrs) {
  const Tensor& x = args.in[0];
  const Tensor& filter = args.in[1];
  Tensors gradients = filter.dim(2) != x.dim(3) ? grouped_conv_gradients(args, attrs)
                                                : conv_gradients(args, x, filter, args.g, attrs);
  gradients.push_back(args.g);
  return gradients;
}

Tensors conv2d_transpose(const GradientArgs& args, const ConvTransposeAttrs& attrs) {
  const Tensor& filter = args.in[1];
  const ConvAttrs forward = get_forward_attrs(attrs);
  return {args.needs_grad(0) ? conv2d(args.g, filter, forward) : Tensor(),
          args.needs_grad(1)
              ? conv2d_backprop_filter(args.g, args.in[0], get_backward_attrs(forward, filter.shape()))
              : Tensor()};
}

Tensors conv2d_backprop_filter(const GradientArgs& args, const ConvTransposeAttrs& attrs) {
  const Tensor& x = args.in[0];
  const ConvAttrs forward = get_forward_attrs(attrs);
  return {args.needs_grad(0) ? conv2d_transpose(args.in[1], args.g, get_backward_attrs(forward, x.shape()))
                             : Tensor(),
          args.needs_grad(1) ? conv2d(x, args.g, forward) : Tensor()};
}

Tensors depthwise_conv2d(const GradientArgs& args, const ConvAttrs& attrs) {
  const Tensor& x = args.in[0];
  const Tensor& filter = args.in[1];
  return {args.needs_grad(0)
              ? depthwise_conv2d_backprop_input(args.g, filter, get_backward_attrs(attrs, x.shape()))
              : Tensor(),
          args.needs_grad(1)
              ? depthwise_conv2d_backprop_filter(x, args.g, get_backward_attrs(attrs, filter.shape()))
              : Tensor(),
          args.g};
}

Tensors depthwise_conv2d_backprop_input(const GradientArgs& args, const ConvTransposeAttrs& attrs) {
  const Tensor& dy = args.in[0];
  const Tensor& filter = args.in[1];
  const ConvAttrs forward = get_forward_attrs(attrs);
  return {args.needs_grad(0) ? depthwise_conv2d(args.g, filter, forward) : Tensor(),
          args.needs_grad(1)
              ? depthwise_conv2d_backprop_filter(args.g, dy, get_backward_attrs(forward, filter.shape()))
              : Tensor()};
}

Tensors depthwise_conv2d_backprop_filter(const GradientArgs& args, const ConvTransposeAttrs& attrs) {
  const Tensor& x = args.in[0];
  const Tensor& dy = args.in[1];
  const ConvAttrs forward = get_forward_attrs(attrs);
  return {args.needs_grad(0)
              ? depthwise_conv2d_backprop_input(dy, args.g, get_backward_attrs(forward, x.shape()))
              : Tensor(),
          args.needs_grad(1) ? depthwise_conv2d(x, args.g, forward) : Tensor()};
}

}  // namespace tenure::grad

namespace tenure::composed {

Tensor conv1d(const Tensor& x, const Tensor& filter, const ConvAttrs& attrs) {
  check_shape(x.rank() == 3, "Error in conv1d: input must be rank 3, but got rank ", x.rank(), ".");
  check_shape(filter.rank() == 3, "Error in conv1d: filter must be rank 3, but got rank ", filter.rank(),
              ".");
  return squeeze(conv2d(expand_dims(x, {1}), expand_dims(filter, {0}), attrs), {.axes = {1}});
}

Tensor separable_conv2d(const Tensor& x, const Tensor& depthwise_filter, const Tensor& pointwise_filter,
                        const ConvAttrs& attrs) {
  check_shape(x.rank() == 4, "Error in separableConv2d: input must be rank 4, but got rank ", x.rank(), ".");
  const Shape& deep = depthwise_filter.shape();
  check_shape(deep.rank == 4, "Error in separableConv2d: depthwise filter must be rank 4, but got rank ",
              deep.rank, ".");
  const Shape& point = pointwise_filter.shape();
  check_shape(point.rank == 4, "Error in separableConv2d: pointwise filter must be rank 4, but got rank ",
              point.rank, ".");
  const std::int64_t expected[] = {1, 1, std::int64_t{deep[2]} * deep[3]};
  constexpr std::string_view kPlaces[] = {"first", "second", "third"};
  for (int i = 0; i < 3; ++i) {
    check_shape(point[i] == expected[i], "Error in separableConv2d: the ", kPlaces[i],
                " dimension of pointwise filter must be ", expected[i], ", but got ", point[i], ".");
  }
  return conv2d(depthwise_conv2d(x, depthwise_filter, attrs), pointwise_filter);
}

}  // namespace tenure::composed
