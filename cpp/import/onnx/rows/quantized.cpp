// Quantized ops, exact in int32 and float32: real = scale * (quantized - zero point).

#include <algorithm>

#include "import/onnx/families.h"
#include "import/onnx/windows.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

Tensor to_float(const Tensor& x) { return as_dtype(x, DType::kFloat32); }

/// Returns a scale or a zero point as it broadcasts to `shape`: a scalar, one value for each position along
/// the axis, or one for each block along it.
Tensor spread(const Tensor& values, const Shape& shape, int axis, std::int32_t block) {
  if (values.elements() == 1) return reshape(values, {Shape{}});
  if (values.rank() == 1) {
    check_shape(values.dim(0) == shape[axis], "expected ", shape[axis], " scales or zero points, got ",
                values.dim(0));
    Shape along{values.dim(0)};
    while (axis + along.rank < shape.rank) along.push_back(1);
    return reshape(values, {along});
  }
  check_shape(block > 0 && values.rank() == shape.rank, "scales or zero points of ", values.shape(),
              " do not fit ", shape);
  check_shape(std::int64_t{values.dim(axis)} * block <= INT32_MAX, "blocks of ", block, " are too large");
  Shape split = values.shape();
  split.insert(axis + 1, 1);
  Shape repeated = split;
  repeated[axis + 1] = block;
  Shape joined = values.shape();
  joined[axis] *= block;
  const Tensor whole = reshape(broadcast_to(reshape(values, {split}), {repeated}), {joined});
  Dims size = shape;
  Dims begin;
  for (int i = 0; i < shape.rank; ++i) begin.push_back(0);
  return slice(whole, {begin, size});
}

/// Rounds to a type of small integers, halves to even numbers, and clamps to its range.
Tensor saturate_to(const Tensor& x, const Tensor& zero, ElementType type) {
  const auto range = range_of(type).value_or(std::pair(0, 255));
  const Tensor rounded = zero ? add(round(x), to_float(zero)) : round(x);
  return cast(clip_by_value(
                  rounded, {.min = static_cast<float>(range.first), .max = static_cast<float>(range.second)}),
              {DType::kInt32});
}

/// Returns the axis of a node's scales. Scalars have none.
int read_axis(const Call& call, const Tensor& x) {
  return x.rank() == 0 || call[1].elements() == 1 ? 0
                                                  : normalize_axis(call.attrs().integer("axis", 1), x.rank());
}

Tensor quantized(const Call& call) {
  const Tensor& x = call[0];
  const int axis = read_axis(call, x);
  const std::int32_t block = call.attrs().integer("block_size", 0);
  const Tensor scale = spread(call[1], x.shape(), axis, block);
  Tensor zero = optional(call, 2);
  if (zero) zero = spread(zero, x.shape(), axis, block);
  ElementType type = element_type(call, 2);
  if (!zero && call.attrs().has("output_dtype"))
    type = static_cast<ElementType>(call.attrs().integer("output_dtype", 0));
  return saturate_to(div(to_float(x), scale), zero, type);
}

Tensor dequantized(const Call& call) {
  Tensor x = call[0];
  const int axis = read_axis(call, x);
  const std::int32_t block = call.attrs().integer("block_size", 0);
  if (const Tensor zero = optional(call, 2)) x = sub(x, spread(zero, x.shape(), axis, block));
  return mul(to_float(x), spread(call[1], call[0].shape(), axis, block));
}

/// uint8 values, with the scale and the zero point that suit them.
struct DynamicallyQuantized {
  Tensor values;
  Tensor scale;
  Tensor zero;
};

DynamicallyQuantized quantize_dynamically(const Tensor& x) {
  const Tensor none = Tensor::scalar(0.0F);
  const Tensor low = minimum(min(x), none);
  const Tensor span = sub(maximum(max(x), none), low);
  const Tensor scale = where(equal(span, none), Tensor::scalar(1.0F), div(span, Tensor::scalar(255.0F)));
  const Tensor zero = saturate_to(div(neg(low), scale), {}, ElementType::kUint8);
  return {saturate_to(div(x, scale), zero, ElementType::kUint8), scale, zero};
}

EdgeValues dynamically_quantized(const Call& call) {
  const DynamicallyQuantized found = quantize_dynamically(call[0]);
  return {found.values, found.scale, found.zero};
}

/// Subtracts a zero point, which is a scalar, or has one value for each row or column.
Tensor without_zero(const Tensor& x, const Tensor& zero, bool by_rows) {
  if (!zero) return x;
  if (zero.elements() == 1) return sub(x, reshape(zero, {Shape{}}));
  return sub(x, by_rows && zero.rank() == 1 ? expand_dims(zero, {1}) : zero);
}

/// Multiplies matrices of integers in [-255, 255] exactly: the engine's fast products are those of float32,
/// which holds the sums of so many of them.
Tensor multiply_exactly(const Tensor& a, const Tensor& b) {
  constexpr std::int32_t kMaxDepth = 256;
  const std::int32_t depth = a.shape().back();
  const auto multiply = [](const Tensor& x, const Tensor& y) {
    return cast(mat_mul(to_float(x), to_float(y)), {DType::kInt32});
  };
  if (depth <= kMaxDepth || a.elements() == 0 || b.elements() == 0) return multiply(a, b);
  check_shape(b.shape().back(1) == depth, "matrices of ", a.shape(), " and ", b.shape(), " do not fit");
  std::vector<std::int32_t> sizes;
  for (std::int32_t at = 0; at < depth; at += kMaxDepth) sizes.push_back(std::min(kMaxDepth, depth - at));
  const Tensors left = split(a, {.sizes = sizes, .axis = a.rank() - 1});
  const Tensors right = split(b, {.sizes = sizes, .axis = b.rank() - 2});
  Tensor total = multiply(left[0], right[0]);
  for (std::size_t i = 1; i < sizes.size(); ++i) total = add(total, multiply(left[i], right[i]));
  return total;
}

Tensor integer_product(const Tensor& a, const Tensor& zero_a, const Tensor& b, const Tensor& zero_b) {
  const Tensor left = without_zero(a, zero_a, true);
  const Tensor right = without_zero(b, zero_b, false);
  const bool is_row = left.rank() == 1;
  const bool is_column = right.rank() == 1;
  Tensor product =
      multiply_exactly(is_row ? expand_dims(left, {0}) : left, is_column ? expand_dims(right, {1}) : right);
  if (is_column) product = squeeze(product, {Dims{-1}});
  return is_row ? squeeze(product, {Dims{is_column ? -1 : -2}}) : product;
}

Tensor product_of_integers(const Call& call) {
  return integer_product(call[0], optional(call, 2), call[1], optional(call, 3));
}

Tensor quantized_product(const Call& call) {
  const Tensor product = integer_product(call[0], call[2], call[3], call[5]);
  const auto scale_of = [](const Tensor& scale, bool by_rows) {
    if (scale.elements() == 1) return reshape(scale, {Shape{}});
    return by_rows && scale.rank() == 1 ? expand_dims(scale, {1}) : scale;
  };
  const Tensor factor = div(mul(scale_of(call[1], true), scale_of(call[4], false)), scale_of(call[6], false));
  return saturate_to(mul(to_float(product), factor), scale_of(call[7], false), element_type(call, 7));
}

/// The product of com.microsoft, in float32 with an optional bias.
Tensor product_to_float(const Call& call) {
  const Tensor product = integer_product(call[0], optional(call, 4), call[1], optional(call, 5));
  const Tensor result = mul(to_float(product), mul(call[2], call[3]));
  const Tensor bias = optional(call, 6);
  return bias ? add(result, bias) : result;
}

/// Quantizes input 0 dynamically, and multiplies it by a quantized matrix. Of com.microsoft.
Tensor dynamic_product(const Call& call) {
  const DynamicallyQuantized a = quantize_dynamically(call[0]);
  const Tensor product = integer_product(a.values, a.zero, call[1], optional(call, 3));
  const Tensor result = mul(to_float(product), mul(a.scale, call[2]));
  const Tensor bias = optional(call, 4);
  return bias ? add(result, bias) : result;
}

/// Returns the pixels that one position of a window meets, as a slice of the padded images [N,...,C].
Tensor slice_tap(const Tensor& x, const Windows& windows, const Dims& out, std::int32_t position) {
  StridedSliceAttrs attrs{.begin = {0}, .end = {x.dim(0)}, .strides = {1}};
  Dims offsets = windows.kernel;
  for (int i = windows.rank(); i-- > 0;) {
    offsets[i] = position % windows.kernel[i] * windows.dilations[i];
    position /= windows.kernel[i];
  }
  for (int i = 0; i < windows.rank(); ++i) {
    attrs.begin.push_back(offsets[i]);
    attrs.end.push_back(offsets[i] + (out[i] - 1) * windows.strides[i] + 1);
    attrs.strides.push_back(windows.strides[i]);
  }
  attrs.begin.push_back(0);
  attrs.end.push_back(x.shape().back());
  attrs.strides.push_back(1);
  return strided_slice(x, attrs);
}

/// Convolves int32 images [N,C,...], from which the zero point is subtracted, with int32 weights [O,C/groups,
/// ...]: one product of matrices for each position of the window.
Tensor convolve_integers(const Call& call, const Tensor& x, const Tensor& weights) {
  check_shape(weights.rank() == x.rank(), "expected weights of rank ", x.rank(), ", got ", weights.shape());
  Dims kernel;
  for (int i = 2; i < weights.rank(); ++i) kernel.push_back(weights.dim(i));
  check_shape(weights.elements() > 0, "its weights are empty");
  const Windows windows = read_windows(call, spatial_extents(x), kernel);
  const int rank = windows.rank();
  PadAttrs pads{.before = {0}, .after = {0}};
  PermutationAttrs last{Dims{0}};
  PermutationAttrs first{Dims{0, rank + 1}};
  const Dims out = output_extents(windows, spatial_extents(x));
  Shape shape{x.dim(0)};
  std::int32_t taps = 1;
  for (int i = 0; i < rank; ++i) {
    pads.before.push_back(windows.before[i]);
    pads.after.push_back(windows.after[i]);
    last.perm.push_back(i + 2);
    first.perm.push_back(i + 1);
    shape.push_back(out[i]);
    taps *= kernel[i];
  }
  pads.before.push_back(0);
  pads.after.push_back(0);
  last.perm.push_back(1);
  const Tensor images = pad(transpose(x, last), pads);
  const std::int32_t groups = call.attrs().integer("group", 1);
  const std::int32_t filters = weights.dim(0);
  check_shape(groups > 0 && filters % groups == 0 && weights.dim(1) * groups == x.dim(1), "weights of ",
              weights.shape(), " in ", groups, " groups do not fit an input of ", x.shape());
  // [taps, groups, in, out], and pixels as [groups, pixels, in].
  const Tensor matrices = transpose(reshape(weights, {Shape{groups, filters / groups, weights.dim(1), taps}}),
                                    {Dims{3, 0, 2, 1}});
  const Tensors by_tap = unstack(matrices, {0});
  Tensor total;
  for (std::int32_t tap = 0; tap < taps; ++tap) {
    const Tensor pixels = reshape(slice_tap(images, windows, out, tap), {Shape{-1, groups, weights.dim(1)}});
    const Tensor product =
        multiply_exactly(transpose(pixels, {Dims{1, 0, 2}}), by_tap[static_cast<std::size_t>(tap)]);
    total = total ? add(total, product) : product;
  }
  shape.push_back(filters);
  return transpose(reshape(transpose(total, {Dims{1, 0, 2}}), {shape}), first);
}

/// Reshapes values of output channels to broadcast to [N,C,...], or weights [O,...].
Tensor per_channel(const Tensor& values, int rank) {
  if (!values || values.elements() == 1) return values ? reshape(values, {Shape{}}) : values;
  Shape shape{static_cast<std::int32_t>(values.elements())};
  for (int i = 1; i < rank; ++i) shape.push_back(1);
  return reshape(values, {shape});
}

Tensor without_filter_zero(const Tensor& weights, const Tensor& zero) {
  return zero ? sub(weights, per_channel(zero, weights.rank())) : weights;
}

Tensor convolution_of_integers(const Call& call) {
  return convolve_integers(call, without_zero(call[0], optional(call, 2), false),
                           without_filter_zero(call[1], optional(call, 3)));
}

Tensor quantized_convolution(const Call& call) {
  const int channels = call[0].rank() - 1;
  Tensor sums =
      convolve_integers(call, without_zero(call[0], call[2], false), without_filter_zero(call[3], call[5]));
  if (const Tensor bias = optional(call, 8)) sums = add(sums, per_channel(bias, channels));
  const Tensor factor =
      per_channel(div(mul(reshape(call[1], {Shape{}}), call[4]), reshape(call[6], {Shape{}})), channels);
  return saturate_to(mul(to_float(sums), factor), reshape(call[7], {Shape{}}), element_type(call, 7));
}

constexpr Row kRows[] = {
    {"ConvInteger", convolution_of_integers},
    {"DequantizeLinear", dequantized},
    {"DynamicQuantizeLinear", dynamically_quantized},
    {"MatMulInteger", product_of_integers},
    {"QLinearConv", quantized_convolution},
    {"QLinearMatMul", quantized_product},
    {"QuantizeLinear", quantized},
};

/// com.microsoft has QuantizeLinear and DequantizeLinear too, for types that the standard ops did not take.
constexpr Row kContribRows[] = {
    {"DequantizeLinear", dequantized},
    {"DynamicQuantizeMatMul", dynamic_product},
    {"MatMulIntegerToFloat", product_to_float},
    {"QuantizeLinear", quantized},
};

}  // namespace

std::span<const Row> quantized_rows() { return kRows; }
std::span<const Row> contrib_quantized_rows() { return kContribRows; }

}  // namespace tenure::onnx
