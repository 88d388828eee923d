// Quantized ops, exact in int32: real = scale * (quantized - zero point).

#include "import/onnx/quantized_rows/quantized.h"

#include <algorithm>

#include "core/memory/narrow_integers.h"
#include "import/onnx/families.h"
#include "import/onnx/rare_rows/small_types.h"
#include "import/onnx/windows.h"
#include "model/passes/channels_last.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Returns a scale or a zero point as it broadcasts to `shape`: a scalar, one value for each position along
/// the axis, or one for each block along it.
Tensor expand_parameters(const Tensor& values, const Shape& shape, int axis, std::int32_t block) {
  if (values.elements() == 1) return reshape(values, {Shape{}});
  if (values.rank() == 1 && block == 0) {
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

/// Returns the axis of a node's scales. Scalars have none.
int read_axis(const Call& call, const Tensor& x) {
  return x.rank() == 0 || call[1].elements() == 1 ? 0
                                                  : normalize_axis(call.attrs().integer("axis", 1), x.rank());
}

Tensor quantized(const Call& call) {
  const Tensor& x = call[0];
  const int axis = read_axis(call, x);
  const std::int32_t block = call.attrs().integer("block_size", 0);
  const Tensor scale = expand_parameters(call[1], x.shape(), axis, block);
  Tensor zero = optional(call, 2);
  if (zero) zero = expand_parameters(zero, x.shape(), axis, block);
  ElementType type = element_type(call, 2);
  if (!zero && call.attrs().has("output_dtype"))
    type = static_cast<ElementType>(call.attrs().integer("output_dtype", 0));
  const Tensor scaled = div(to_float(x), scale);
  if (is_small_float(type)) return round_to_small(scaled, type, {call.attrs().flag("saturate", true)});
  return saturate_to(scaled, zero, type);
}

Tensor dequantized(const Call& call) {
  const Tensor& x = call[0];
  const int axis = read_axis(call, x);
  const std::int32_t block = call.attrs().integer("block_size", 0);
  Tensor zero = optional(call, 2);
  if (zero) zero = expand_parameters(zero, x.shape(), axis, block);
  return dequantize(x, expand_parameters(call[1], x.shape(), axis, block), zero);
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

/// True if `x` has one value, or one for each of `columns` columns.
bool is_by_columns(const Tensor& x, std::int32_t columns) {
  return !x || x.elements() == 1 || (x.rank() == 1 && x.dim(0) == columns);
}

Tensor product_of_integers(const Call& call) {
  return integer_product(call[0], optional(call, 2), call[1], optional(call, 3));
}

Tensor quantized_product(const Call& call) {
  const Tensor product = integer_product(call[0], call[2], call[3], call[5]);
  const auto get_scale = [](const Tensor& scale, bool by_rows) {
    if (scale.elements() == 1) return reshape(scale, {Shape{}});
    return by_rows && scale.rank() == 1 ? expand_dims(scale, {1}) : scale;
  };
  const Tensor factor =
      div(mul(get_scale(call[1], true), get_scale(call[4], false)), get_scale(call[6], false));
  return saturate_to(mul(to_float(product), factor), get_scale(call[7], false), element_type(call, 7));
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
  const Tensor& b = call[1];
  const std::int32_t columns = b.rank() == 2 ? b.dim(1) : 0;
  if (call[0].rank() >= 2 && b.rank() == 2 && is_by_columns(call[2], columns) &&
      is_by_columns(optional(call, 3), columns) && is_by_columns(optional(call, 4), columns))
    return dynamic_quantize_mat_mul(call[0], b, call[2], optional(call, 3), optional(call, 4));
  const DynamicallyQuantized a = quantize_dynamically(call[0]);
  const Tensor product = integer_product(a.values, a.zero, call[1], optional(call, 3));
  const Tensor result = mul(to_float(product), mul(a.scale, call[2]));
  const Tensor bias = optional(call, 4);
  return bias ? add(result, bias) : result;
}

/// Reshapes values of output channels to broadcast to [N,C,...], or weights [O,...].
Tensor per_channel(const Tensor& values, int rank) {
  if (!values || values.elements() == 1) return values ? reshape(values, {Shape{}}) : values;
  Shape shape{static_cast<std::int32_t>(values.elements())};
  for (int i = 1; i < rank; ++i) shape.push_back(1);
  return reshape(values, {shape});
}

/// True if the values can be read at once.
bool is_known(const Tensor& x) { return x.has_data() && !x.storage()->only_on_device(); }

/// Returns weights [O,...] less their zero point: themselves if it is known to be 0.
Tensor without_filter_zero(const Tensor& weights, const Tensor& zero) {
  if (!zero) return weights;
  const auto is_zero = [](std::int32_t value) { return value == 0; };
  if (is_by_columns(zero, weights.dim(0)) && is_known(zero) &&
      std::ranges::all_of(zero.values<std::int32_t>(), is_zero))
    return weights;
  return sub(weights, per_channel(zero, weights.rank()));
}

/// Returns int32 weights [O,C/groups,...] as a filter. One that is known takes 8 bits an element if it fits.
/// Outside of plans a device keeps it, as reading it back would block.
Tensor to_integer_filter(const Tensor& weights) {
  if (!is_known(weights) || usable_backend().is_device()) return to_filter(weights);
  const Tensor w = weights.rank() == 3 ? expand_dims(weights, {2}) : weights;
  // WebGPU's products of bytes read words of adjacent channels, or else of adjacent columns.
  if (w.dim(1) % 4 == 0) {
    const bool has_one_tap = w.dim(2) == 1 && w.dim(3) == 1;
    const Tensor rows = NarrowIntegers::compress(has_one_tap ? w : transpose(w, {Dims{0, 2, 3, 1}}));
    const NarrowIntegers* bytes = NarrowIntegers::of(rows);
    if (bytes && bytes->bits() == 8)
      return NarrowIntegers::transpose(*bytes, {w.dim(2), w.dim(3), w.dim(1), w.dim(0)});
  }
  return NarrowIntegers::compress(to_filter(w));
}

/// Convolves int32 images [N,H,W,C] with weights [O,C/groups,...] less their zero point, which is a scalar or
/// has one value for each O.
Tensor convolve_weights(const Tensor& images, const Tensor& weights, const Tensor& zero,
                        const IntegerConvAttrs& attrs) {
  const NarrowIntegers* bytes = NarrowIntegers::of(weights);
  const Tensor middle = Tensor::scalar(bytes && bytes->is_signed() ? 0 : 128);
  const Tensor filter = to_integer_filter(without_filter_zero(weights, zero));
  const bool has_groups = weights.dim(1) != images.shape().back();
  const bool takes_9_bits = zero && bytes && is_known(filter) && !NarrowIntegers::of(filter);
  if (has_groups || !takes_9_bits) return conv2d_integer(images, filter, attrs);
  // The weights less 128 are int8, and what they differ by is a multiple of the windows' sums.
  const Tensor sums = conv2d_integer(images, to_integer_filter(sub(weights, middle)), attrs);
  Shape window = filter.shape();
  window[3] = 1;
  const Tensor window_sums =
      conv2d_integer(images, fill({.shape = window, .int_value = 1, .dtype = DType::kInt32}), attrs);
  return sub(sums, mul(window_sums, per_channel(sub(zero, middle), 1)));
}

/// Convolves int32 images [N,C,...] of one or two spatial axes with int32 weights [O,C/groups,...] less their
/// zero point.
Tensor convolve_images(const Tensor& x, const Tensor& weights, const Tensor& zero, WindowArgs windows,
                       std::int32_t groups) {
  const Dims strides = detach_strides(windows);
  const Tensor images = to_images(x);
  IntegerConvAttrs attrs;
  set_windows(attrs, windows);
  Tensor sums;
  if (groups == 1 || weights.dim(1) == 1) {
    sums = convolve_weights(images, weights, zero, attrs);
  } else {
    const Tensors parts = split_groups(images, groups, 3);
    const Tensors filters = split_groups(without_filter_zero(weights, zero), groups, 0);
    Tensors results;
    for (std::size_t i = 0; i < parts.size(); ++i)
      results.push_back(conv2d_integer(parts[i], to_integer_filter(filters[i]), attrs));
    sums = concat(results, {3});
  }
  return from_images(take_strides(sums, strides), x.rank());
}

/// Returns the pixels that one position of a window meets, as a slice of the padded volumes [N,D,H,W,C].
Tensor slice_tap(const Tensor& x, const WindowArgs& windows, const Dims& out, std::int32_t position) {
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

/// Convolves int32 volumes [N,C,D,H,W] with int32 weights [O,C/groups,d,h,w]: one product of matrices for
/// each position of the window.
Tensor convolve_volumes(const Tensor& x, const Tensor& weights, const WindowArgs& windows,
                        std::int32_t groups) {
  const Dims out = output_extents(windows, spatial_extents(x));
  const Tensor volumes = pad_images(to_images(x), windows);
  const std::int32_t filters = weights.dim(0);
  const std::int32_t taps = windows.kernel[0] * windows.kernel[1] * windows.kernel[2];
  // [taps, groups, in, out], and pixels as [groups, pixels, in].
  const Tensor matrices = transpose(reshape(weights, {Shape{groups, filters / groups, weights.dim(1), taps}}),
                                    {Dims{3, 0, 2, 1}});
  const Tensors by_tap = unstack(matrices, {0});
  Tensor total;
  for (std::int32_t tap = 0; tap < taps; ++tap) {
    const Tensor pixels = reshape(slice_tap(volumes, windows, out, tap), {Shape{-1, groups, weights.dim(1)}});
    const Tensor product =
        mat_mul_integer(transpose(pixels, {Dims{1, 0, 2}}), by_tap[static_cast<std::size_t>(tap)]);
    total = total ? add(total, product) : product;
  }
  const Shape shape{x.dim(0), out[0], out[1], out[2], filters};
  return from_images(reshape(transpose(total, {Dims{1, 0, 2}}), {shape}), x.rank());
}

/// Convolves int32 images [N,C,...], from which their zero point is subtracted, with int32 weights
/// [O,C/groups,...] less their zero point.
Tensor convolve_integers(const Call& call, const Tensor& x, const Tensor& weights, const Tensor& zero) {
  check_shape(weights.rank() == x.rank(), "expected weights of rank ", x.rank(), ", got ", weights.shape());
  check_shape(weights.elements() > 0, "its weights are empty");
  const WindowArgs windows = read_windows(call, spatial_extents(x), get_kernel_shape(weights));
  const std::int32_t groups = call.attrs().integer("group", 1);
  check_shape(groups > 0 && weights.dim(0) % groups == 0 && weights.dim(1) * groups == x.dim(1),
              "weights of ", weights.shape(), " in ", groups, " groups do not fit an input of ", x.shape());
  return windows.rank() == 3 ? convolve_volumes(x, without_filter_zero(weights, zero), windows, groups)
                             : convolve_images(x, weights, zero, windows, groups);
}

Tensor dequantized_convolution(const Call& call) {
  const Tensor sums =
      convolve_integers(call, without_zero(call[0], optional(call, 4), false), call[1], optional(call, 5));
  const int channels = call[0].rank() - 1;
  const Tensor result = mul(to_float(sums), per_channel(mul(reshape(call[2], {Shape{}}), call[3]), channels));
  const Tensor bias = optional(call, 6);
  return bias ? add(result, per_channel(bias, channels)) : result;
}

Tensor convolution_of_integers(const Call& call) {
  return convolve_integers(call, without_zero(call[0], optional(call, 2), false), call[1], optional(call, 3));
}

/// Convolves quantized images [N,C,...], which are input 0 or a transpose of it.
Tensor convolve_quantized(const Call& call, const Tensor& x) {
  const int channels = x.rank() - 1;
  Tensor sums = convolve_integers(call, without_zero(x, call[2], false), call[3], call[5]);
  if (const Tensor bias = optional(call, 8)) sums = add(sums, per_channel(bias, channels));
  const Tensor factor =
      per_channel(div(mul(reshape(call[1], {Shape{}}), call[4]), reshape(call[6], {Shape{}})), channels);
  return saturate_to(mul(to_float(sums), factor), reshape(call[7], {Shape{}}), element_type(call, 7));
}

Tensor quantized_convolution(const Call& call) { return convolve_quantized(call, call[0]); }

/// The convolution of com.microsoft, whose images may be [N,...,C].
Tensor contrib_quantized_convolution(const Call& call) {
  const bool is_last = call.attrs().flag("channels_last");
  return to_channels_last(convolve_quantized(call, from_channels_last(call[0], is_last)), is_last);
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
    {"QLinearConv", contrib_quantized_convolution},
    {"QuantizeLinear", quantized},
};

}  // namespace

constexpr Row kDequantizedConvRow{"Conv", dequantized_convolution};

Tensor saturate_to(const Tensor& x, const Tensor& zero, ElementType type) {
  const auto range = get_range(type).value_or(std::pair(0, 255));
  const Tensor rounded = zero ? add(round(x), to_float(zero)) : round(x);
  return cast(clip_by_value(
                  rounded, {.min = static_cast<float>(range.first), .max = static_cast<float>(range.second)}),
              {DType::kInt32});
}

Tensor integer_product(const Tensor& a, const Tensor& zero_a, const Tensor& b, const Tensor& zero_b) {
  const bool is_row = a.rank() == 1;
  const bool is_column = b.rank() == 1;
  Tensor left = is_row ? expand_dims(a, {0}) : a;
  Tensor right = is_column ? expand_dims(b, {1}) : b;
  Tensor left_zero = zero_a;
  Tensor right_zero = zero_b;
  if (zero_a && zero_a.elements() != 1 && (left.rank() != 2 || zero_a.rank() != 1)) {
    left = without_zero(left, zero_a, true);
    left_zero = {};
  }
  if (!is_by_columns(zero_b, right.shape().back())) {
    right = without_zero(right, zero_b, false);
    right_zero = {};
  }
  Tensor product = mat_mul_integer(left, right, left_zero, right_zero);
  if (is_column) product = squeeze(product, {Dims{-1}});
  return is_row ? squeeze(product, {Dims{is_column ? -1 : -2}}) : product;
}

std::span<const Row> quantized_rows() { return kRows; }
std::span<const Row> contrib_quantized_rows() { return kContribRows; }

}  // namespace tenure::onnx
