// Ops that give elements another shape or another place.

#include <algorithm>

#include "import/tflite/families.h"
#include "model/files/raw_elements.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kConcatOptions[] = {{"axis", 0, Option::kInt}, {"activation", 1, Option::kByte}};
constexpr Option kShapeOptions[] = {{"new_shape", 0, Option::kInts}};
constexpr Option kSqueezeOptions[] = {{"squeeze_dims", 0, Option::kInts}};
constexpr Option kBlockOptions[] = {{"block_size", 0, Option::kInt}};
constexpr Option kSplitOptions[] = {{"num_splits", 0, Option::kInt}};
constexpr Option kPackOptions[] = {{"axis", 1, Option::kInt}};
constexpr Option kModeOptions[] = {{"mode", 0, Option::kByte}};
constexpr Option kReverseOptions[] = {{"seq_dim", 0, Option::kInt}, {"batch_dim", 1, Option::kInt}};
constexpr Option kStridedOptions[] = {
    {"begin_mask", 0, Option::kInt},       {"end_mask", 1, Option::kInt},
    {"ellipsis_mask", 2, Option::kInt},    {"new_axis_mask", 3, Option::kInt},
    {"shrink_axis_mask", 4, Option::kInt}, {"offset", 5, Option::kByte}};

Tensor joined(const Call& call) {
  return activate(call, concat(call.tensors(), {call.attrs().integer("axis", 0)}));
}

Tensor reshaped(const Call& call) {
  if (has(call, 1)) {
    // An old form of a scalar's shape is one 0.
    const Dims shape = call.dims(1);
    if (shape.rank == 1 && shape[0] == 0 && call[0].elements() == 1) return reshape(call[0], {Shape{}});
    return reshape(call[0], {shape});
  }
  const std::vector<std::int32_t> shape = call.attrs().integers("new_shape");
  return reshape(call[0], {Dims(std::span<const std::int32_t>(shape))});
}

Tensor squeezed(const Call& call) {
  const std::vector<std::int32_t> axes = call.attrs().integers("squeeze_dims");
  return squeeze(call[0], {Dims(std::span<const std::int32_t>(axes))});
}

Tensor expanded(const Call& call) { return expand_dims(call[0], {call.integer(1)}); }
Tensor transposed(const Call& call) {
  return call[0].rank() < 2 ? call[0] : transpose(call[0], {call.dims(1)});
}

Tensor padded(const Call& call) {
  PadAttrs attrs{.value = has(call, 2) ? call.number(2) : 0};
  read_pads(call, attrs.before, attrs.after);
  return pad(call[0], attrs);
}

Tensor mirrored(const Call& call) {
  MirrorPadAttrs attrs{.symmetric = call.attrs().integer("mode", 0) == 1};
  read_pads(call, attrs.before, attrs.after);
  return mirror_pad(call[0], attrs);
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

Tensor strided(const Call& call) {
  const auto mask = [&](std::string_view name) { return call.attrs().integer(name, 0); };
  Dims end = call.dims(2);
  const Dims begin = call.dims(1);
  // The ends are distances from the beginnings.
  if (call.attrs().integer("offset", 0) != 0) {
    for (int i = 0; i < std::min(end.rank, begin.rank); ++i)
      end[i] = saturate(std::int64_t{end[i]} + begin[i]);
  }
  return strided_slice(call[0], {.begin = begin,
                                 .end = end,
                                 .strides = call.dims(3),
                                 .begin_mask = mask("begin_mask"),
                                 .end_mask = mask("end_mask"),
                                 .ellipsis_mask = mask("ellipsis_mask"),
                                 .new_axis_mask = mask("new_axis_mask"),
                                 .shrink_axis_mask = mask("shrink_axis_mask")});
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

std::int32_t read_block(const Call& call) {
  const std::int32_t block = call.attrs().integer("block_size", 0);
  check(block > 0, "its block size is ", block);
  return block;
}

Tensor from_depth(const Call& call) {
  return run(Op::depth_to_space, {&call[0]}, AttrsView(DepthToSpaceAttrs{.block = read_block(call)}));
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

/// Reads input 1, block sizes, and input 2, pads or crops of shape [dimensions, 2].
BlocksAttrs read_blocks(const Call& call) {
  BlocksAttrs attrs{.block = call.dims(1)};
  const std::vector<std::int32_t> pads = call.integers(2);
  check_shape(pads.size() == 2 * static_cast<std::size_t>(attrs.block.rank),
              "expected 2 numbers for each of ", attrs.block.rank, " dimensions, got ", pads.size(),
              " in all");
  for (std::size_t i = 0; i < pads.size(); i += 2) {
    attrs.before.push_back(pads[i]);
    attrs.after.push_back(pads[i + 1]);
  }
  return attrs;
}

Tensor to_batch(const Call& call) {
  return run(Op::space_to_batch, {&call[0]}, AttrsView(read_blocks(call)));
}
Tensor from_batch(const Call& call) {
  return run(Op::batch_to_space, {&call[0]}, AttrsView(read_blocks(call)));
}

constexpr OpRow kRows[] = {
    {2, {"CONCATENATION", joined}, kConcatOptions, Quantized::kSame},
    {5, {"DEPTH_TO_SPACE", from_depth}, kBlockOptions, Quantized::kSame},
    {22, {"RESHAPE", reshaped}, kShapeOptions, Quantized::kSame},
    {26, {"SPACE_TO_DEPTH", to_depth}, kBlockOptions, Quantized::kSame},
    {34, {"PAD", padded}, {}, Quantized::kSame},
    {37, {"BATCH_TO_SPACE_ND", from_batch}, {}, Quantized::kSame},
    {38, {"SPACE_TO_BATCH_ND", to_batch}, {}, Quantized::kSame},
    {39, {"TRANSPOSE", transposed}, {}, Quantized::kSame},
    {43, {"SQUEEZE", squeezed}, kSqueezeOptions, Quantized::kSame},
    {45, {"STRIDED_SLICE", strided}, kStridedOptions, Quantized::kSame},
    {49, {"SPLIT", split_evenly}, kSplitOptions, Quantized::kSame},
    {60, {"PADV2", padded}, {}, Quantized::kSame},
    {65, {"SLICE", sliced}, {}, Quantized::kSame},
    {69, {"TILE", tiled}, {}, Quantized::kSame},
    {70, {"EXPAND_DIMS", expanded}, {}, Quantized::kSame},
    {83, {"PACK", packed}, kPackOptions, Quantized::kSame},
    {88, {"UNPACK", unpacked}, kPackOptions, Quantized::kSame},
    {100, {"MIRROR_PAD", mirrored}, kModeOptions, Quantized::kSame},
    {102, {"SPLIT_V", split_by_sizes}, kSplitOptions, Quantized::kSame},
    {105, {"REVERSE_V2", reversed}, {}, Quantized::kSame},
    {112, {"REVERSE_SEQUENCE", reversed_sequences}, kReverseOptions, Quantized::kSame},
    {130, {"BROADCAST_TO", broadcasted}, {}, Quantized::kSame},
};

}  // namespace

std::span<const OpRow> movement_rows() { return kRows; }

}  // namespace tenure::tflite
