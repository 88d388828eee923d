// Ops that few models have, which give elements another shape, place or type.

#include <algorithm>
#include <cstring>

#include "import/tflite/families.h"
#include "import/tflite/pad.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kSplitOptions[] = {{"num_splits", 0, Option::kInt}};
constexpr Option kPackOptions[] = {{"axis", 1, Option::kInt}};
constexpr Option kModeOptions[] = {{"mode", 0, Option::kByte}};
constexpr Option kStablehloPadOptions[] = {{"edge_padding_low", 0, Option::kLongs},
                                           {"edge_padding_high", 1, Option::kLongs},
                                           {"interior_padding", 2, Option::kLongs}};
constexpr Option kReverseOptions[] = {{"seq_dim", 0, Option::kInt}, {"batch_dim", 1, Option::kInt}};

Tensor mirrored(const Call& call) {
  MirrorPadAttrs attrs{.symmetric = call.attrs().integer("mode", 0) == 1};
  read_pads(call, attrs.before, attrs.after);
  return mirror_pad(call[0], attrs);
}

EdgeValues split_by_sizes(const Call& call) {
  const int axis = normalize_axis(call.integer(2), call[0].rank());
  std::vector<std::int32_t> sizes = call.integers(1);
  std::int64_t known = 0;
  for (const std::int32_t size : sizes) known += std::max(size, 0);
  for (std::int32_t& size : sizes) {
    if (size == -1) size = static_cast<std::int32_t>(std::max<std::int64_t>(call[0].dim(axis) - known, 0));
  }
  return to_edge_values(split(call[0], {.sizes = sizes, .axis = axis}));
}

Tensor tiled(const Call& call) { return tile(call[0], {call.dims(1)}); }
Tensor broadcasted(const Call& call) { return broadcast_to(call[0], {call.shape(1)}); }
Tensor reversed(const Call& call) { return reverse(call[0], {call.dims(1)}); }

/// Reverses the first elements along an axis, as many as input 1 has for each index of another axis.
Tensor reversed_sequences(const Call& call) {
  const Tensor& x = call[0];
  const int time = normalize_axis(call.attrs().integer("seq_dim", 0), x.rank());
  const int batch = normalize_axis(call.attrs().integer("batch_dim", 0), x.rank());
  check(time != batch, "its sequences are along the batch axis, ", batch);
  PermutationAttrs order{Dims{batch, time}};
  for (int i = 0; i < x.rank(); ++i) {
    if (i != batch && i != time) order.perm.push_back(i);
  }
  PermutationAttrs inverse{order.perm};
  for (int i = 0; i < x.rank(); ++i) inverse.perm[order.perm[i]] = i;
  const std::int32_t steps = x.dim(time);
  const Tensor step =
      reshape(range({.step = 0, .int_step = 1, .count = steps, .dtype = DType::kInt32}), {Shape{1, steps}});
  const Tensor lengths = reshape(as_indices(call[1]), {Shape{x.dim(batch), 1}});
  const Tensor mirrored_step = sub(sub(lengths, Tensor::scalar(1)), step);
  const Tensor positions = where(less(mirrored_step, Tensor::scalar(0)), step, mirrored_step);
  return transpose(gather(transpose(x, order), positions, {.axis = 1, .batch_dims = 1}), inverse);
}

Tensor to_depth(const Call& call) {
  const Tensor& x = call[0];
  const std::int32_t block = read_block(call);
  check_shape(x.rank() == 4 && x.dim(1) % block == 0 && x.dim(2) % block == 0, "blocks of ", block,
              " do not fit images of ", x.shape());
  const std::int32_t height = x.dim(1) / block;
  const std::int32_t width = x.dim(2) / block;
  const Tensor blocks = reshape(x, {Shape{x.dim(0), height, block, width, block, x.dim(3)}});
  const Shape shape{x.dim(0), height, width, block * block * x.dim(3)};
  return reshape(transpose(blocks, {Dims{0, 1, 3, 2, 4, 5}}), {shape});
}

Tensor to_batch(const Call& call) {
  return run(Op::space_to_batch, {&call[0]}, AttrsView(read_blocks(call)));
}
Tensor from_batch(const Call& call) {
  return run(Op::batch_to_space, {&call[0]}, AttrsView(read_blocks(call)));
}

/// Throws unless the node has `count` outputs. A file may have any number, which makes as many nodes.
void check_outputs(const Call& call, std::int32_t count) {
  check_shape(call.node().outputs == static_cast<std::uint32_t>(count), "it has ", call.node().outputs,
              " outputs for ", count, " parts");
}

EdgeValues split_evenly(const Call& call) {
  const Tensor& x = call[1];
  const int axis = normalize_axis(call.integer(0), x.rank());
  const std::int32_t count = call.attrs().integer("num_splits", 0);
  check_outputs(call, count);
  check_shape(count > 0 && x.dim(axis) % count == 0, "extent ", x.dim(axis), " does not split into ", count,
              " parts");
  const std::vector<std::int32_t> sizes(static_cast<std::size_t>(count), x.dim(axis) / count);
  return to_edge_values(split(x, {.sizes = sizes, .axis = axis}));
}

Tensor packed(const Call& call) { return stack(call.tensors(), {call.attrs().integer("axis", 0)}); }
EdgeValues unpacked(const Call& call) {
  const Tensor& x = call[0];
  const int axis = normalize_axis(call.attrs().integer("axis", 0), x.rank());
  check_outputs(call, x.dim(axis));
  return to_edge_values(unstack(x, {axis}));
}

Tensor sliced(const Call& call) {
  Dims size = call.dims(2);
  const Dims begin = call.dims(1);
  for (int i = 0; i < size.rank; ++i) {
    if (size[i] == -1 && i < begin.rank && i < call[0].rank()) size[i] = call[0].dim(i) - begin[i];
  }
  return slice(call[0], {begin, size});
}

Tensor shape_tensor(const Call& call) {
  const Shape& shape = call[0].shape();
  return Tensor::from(std::span<const std::int32_t>(shape.begin(), shape.end()), {shape.rank});
}

/// Puts the elements along an axis `stride` apart, with `value` between them.
Tensor dilate(const Tensor& x, int axis, std::int64_t stride, float value) {
  const std::int32_t extent = x.dim(axis);
  if (stride == 1 || extent == 0) return x;
  const std::int64_t last = extent * stride;
  check_shape(last <= INT32_MAX, "the output would have the extent ", last);
  const auto step = static_cast<std::int32_t>(stride);
  Shape result = x.shape();
  result[axis] = (extent - 1) * step + 1;
  result.validate();
  const Shape around = collapse_around(x.shape(), axis);
  const Tensor apart = pad(reshape(x, {Shape{around[0], extent, 1, around[2]}}),
                           {.before = {0, 0, 0, 0}, .after = {0, 0, step - 1, 0}, .value = value});
  const Tensor whole = reshape(apart, {Shape{around[0], static_cast<std::int32_t>(last), around[2]}});
  return reshape(slice(whole, {{0, 0, 0}, {around[0], result[axis], around[2]}}), {result});
}

/// Puts elements apart along each axis, with the value of input 2 between.
Tensor dilated(const Call& call) {
  const Dims dilations = call.dims(1);
  check_shape(dilations.rank == call[0].rank(), "expected a dilation for each axis of ", call[0].shape(),
              ", got ", dilations.rank);
  return pad_with(call, 2, [&](Tensor x, float value) {
    for (int axis = 0; axis < x.rank(); ++axis) {
      check(dilations[axis] > 0, "its dilation along axis ", axis, " is ", dilations[axis]);
      x = dilate(x, axis, dilations[axis], value);
    }
    return x;
  });
}

Tensor padded_and_dilated(const Call& call) {
  return pad_and_dilate(call, read_per_axis(call, "edge_padding_low"),
                        read_per_axis(call, "edge_padding_high"), read_per_axis(call, "interior_padding"));
}

}  // namespace

std::vector<std::int32_t> read_per_axis(const Call& call, std::string_view name, std::size_t count) {
  std::vector<std::int32_t> numbers = call.attrs().integers(name);
  check_shape(numbers.size() == count * static_cast<std::size_t>(call[0].rank()), "expected ", count,
              " of the numbers ", name, " for each axis of ", call[0].shape(), ", got ", numbers.size());
  return numbers;
}

Tensor pad_and_dilate(const Call& call, std::span<const std::int32_t> low, std::span<const std::int32_t> high,
                      std::span<const std::int32_t> interior) {
  Shape result = call[0].shape();
  bool is_empty = false;
  for (int axis = 0; axis < result.rank; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    check(interior[i] >= 0, "its interior padding along axis ", axis, " is ", interior[i]);
    const std::int64_t extent =
        (std::int64_t{result[axis]} - 1) * (std::int64_t{interior[i]} + 1) + 1 + low[i] + high[i];
    check_shape(extent <= INT32_MAX, "the output would have the extent ", extent);
    result[axis] = static_cast<std::int32_t>(std::max<std::int64_t>(extent, 0));
    is_empty = is_empty || extent <= 0;
  }
  if (is_empty) std::fill_n(&result[0], result.rank, 0);
  if (is_empty || call[0].elements() == 0) return broadcast_to(reshape(call[1], {Shape{}}), {result});
  return pad_with(call, 1, [&](Tensor x, float value) {
    PadAttrs pads{.value = value};
    SliceAttrs kept{.size = Dims(std::span<const std::int32_t>(result.begin(), result.end()))};
    for (int axis = 0; axis < x.rank(); ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      x = dilate(x, axis, std::int64_t{interior[i]} + 1, value);
      pads.before.push_back(std::max(low[i], 0));
      pads.after.push_back(std::max(high[i], 0));
      kept.begin.push_back(
          static_cast<std::int32_t>(std::clamp<std::int64_t>(-std::int64_t{low[i]}, 0, INT32_MAX)));
    }
    return slice(pad(x, pads), kept);
  });
}

std::vector<std::byte> encode_elements(const Tensor& x, RawType type) {
  const std::uint64_t size = raw_bytes(type, 1);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size) * x.elements());
  for (std::size_t i = 0; i < x.elements(); ++i) {
    std::int64_t value = 0;
    if (x.dtype() == DType::kFloat32) {
      std::memcpy(&value, &x.values<float>()[i], sizeof(float));
    } else {
      value = x.dtype() == DType::kBool ? x.values<std::uint8_t>()[i] : x.values<std::int32_t>()[i];
    }
    std::memcpy(bytes.data() + i * size, &value, static_cast<std::size_t>(size));
  }
  return bytes;
}

void check_32_bits(const TensorDef& def, std::span<const std::byte> buffer) {
  if (def.type != ElementType::kInt64 && def.type != ElementType::kUint64) return;
  for (std::size_t at = 0; at + sizeof(std::int64_t) <= buffer.size(); at += sizeof(std::int64_t)) {
    std::int64_t value;
    std::memcpy(&value, buffer.data() + at, sizeof(value));
    const bool is_unsigned = def.type == ElementType::kUint64;
    check(value == static_cast<std::int32_t>(value) && !(is_unsigned && value < 0), "the constant \"",
          def.name, "\": its value ", value, " is beyond 32 bits");
  }
}

RawType read_bits_type(const Call& call, std::string_view name) {
  const auto type = static_cast<ElementType>(call.attrs().integer(name, 0));
  const std::optional<RawType> raw = get_raw_type(type);
  check(raw && *raw != RawType::kFloat16 && *raw != RawType::kBfloat16 && *raw != RawType::kFloat64 &&
            *raw != RawType::kInt4,
        "bits of the type ", get_type_name(type), " are not supported");
  return *raw;
}

namespace {

/// Reads the bytes of elements as those of another type: a smaller one adds a last axis, a larger one takes
/// it.
Tensor bitcast(const Call& call) {
  const RawType from = read_bits_type(call, "input type");
  const RawType to = read_bits_type(call, "output type");
  const Tensor& x = call.value(0);
  check(x.dtype() != DType::kString && x.dtype() != DType::kComplex64, "bits of ", get_name(x.dtype()),
        " are not supported");
  const auto ratio = [](RawType a, RawType b) {
    return static_cast<std::int32_t>(raw_bytes(a, 1) / raw_bytes(b, 1));
  };
  Shape shape = x.shape();
  if (ratio(from, to) > 1) {
    shape.push_back(ratio(from, to));
    shape.validate();
  } else if (ratio(to, from) > 1) {
    check_shape(shape.rank > 0 && shape.back() == ratio(to, from), "expected a last extent of ",
                ratio(to, from), ", got ", shape);
    shape.rank -= 1;
  }
  const std::vector<std::byte> bytes = encode_elements(x, from);
  return decode_raw(to, std::span<const std::byte>(bytes), shape);
}

constexpr OpRow kRows[] = {
    {49, {"SPLIT", split_evenly}, kSplitOptions, Quantized::kSame},
    {83, {"PACK", packed}, kPackOptions, Quantized::kSame},
    {88, {"UNPACK", unpacked}, kPackOptions, Quantized::kSame},
    {65, {"SLICE", sliced}, {}, Quantized::kSame},
    {77, {"SHAPE", shape_tensor}, {}, Quantized::kSame},
    {26, {"SPACE_TO_DEPTH", to_depth}, kBlockOptions, Quantized::kSame},
    {37, {"BATCH_TO_SPACE_ND", from_batch}, {}, Quantized::kSame},
    {38, {"SPACE_TO_BATCH_ND", to_batch}, {}, Quantized::kSame},
    {69, {"TILE", tiled}, {}, Quantized::kSame},
    {100, {"MIRROR_PAD", mirrored}, kModeOptions, Quantized::kSame},
    {102, {"SPLIT_V", split_by_sizes}, kSplitOptions, Quantized::kSame},
    {105, {"REVERSE_V2", reversed}, {}, Quantized::kSame},
    {112, {"REVERSE_SEQUENCE", reversed_sequences}, kReverseOptions, Quantized::kSame},
    {130, {"BROADCAST_TO", broadcasted}, {}, Quantized::kSame},
    {kBitcast, {"BITCAST", bitcast}, {}, Quantized::kStored},
    {195, {"STABLEHLO_PAD", padded_and_dilated}, kStablehloPadOptions, Quantized::kSame},
    {203, {"DILATE", dilated}},
};

}  // namespace

Shape collapse_around(const Shape& shape, int axis) {
  return {static_cast<std::int32_t>(shape.elements(0, axis)), shape[axis],
          static_cast<std::int32_t>(shape.elements(axis + 1, shape.rank))};
}

std::span<const OpRow> rare_movement_rows() { return kRows; }

}  // namespace tenure::tflite
