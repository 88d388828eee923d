// Ops that give elements another shape or another place.

#include <algorithm>

#include "import/tflite/families.h"
#include "import/tflite/pad.h"
#include "model/files/raw_elements.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kConcatOptions[] = {{"axis", 0, Option::kInt}, {"activation", 1, Option::kByte}};
constexpr Option kShapeOptions[] = {{"new_shape", 0, Option::kInts}};
constexpr Option kSqueezeOptions[] = {{"squeeze_dims", 0, Option::kInts}};
constexpr Option kStridedOptions[] = {
    {"begin_mask", 0, Option::kInt},       {"end_mask", 1, Option::kInt},
    {"ellipsis_mask", 2, Option::kInt},    {"new_axis_mask", 3, Option::kInt},
    {"shrink_axis_mask", 4, Option::kInt}, {"offset", 5, Option::kByte}};

Tensor joined(const Call& call) {
  return activate(call, concat(call.tensors(), {call.attrs().integer("axis", 0)}));
}

Tensor reshaped(const Call& call) {
  const std::vector<std::int32_t> extents = call.attrs().integers("new_shape");
  const Dims shape = has(call, 1) ? call.dims(1) : Dims(std::span<const std::int32_t>(extents));
  // An old form of a scalar's shape is one 0.
  const bool is_scalar = shape.rank == 1 && shape[0] == 0 && call[0].elements() == 1;
  return reshape(call[0], {is_scalar ? Dims() : shape});
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
  PadAttrs attrs;
  read_pads(call, attrs.before, attrs.after);
  const auto pad_by = [&](const Tensor& x, float value) {
    attrs.value = value;
    return pad(x, attrs);
  };
  return has(call, 2) ? pad_with(call, 2, pad_by) : pad(call[0], attrs);
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

Tensor from_depth(const Call& call) {
  return run(Op::depth_to_space, {&call[0]}, AttrsView(DepthToSpaceAttrs{.block = read_block(call)}));
}

constexpr OpRow kRows[] = {
    {2, {"CONCATENATION", joined}, kConcatOptions, Quantized::kSame},
    {5, {"DEPTH_TO_SPACE", from_depth}, kBlockOptions, Quantized::kSame},
    {22, {"RESHAPE", reshaped}, kShapeOptions, Quantized::kSame},
    {34, {"PAD", padded}, {}, Quantized::kSame},
    {39, {"TRANSPOSE", transposed}, {}, Quantized::kSame},
    {43, {"SQUEEZE", squeezed}, kSqueezeOptions, Quantized::kSame},
    {45, {"STRIDED_SLICE", strided}, kStridedOptions, Quantized::kSame},
    {60, {"PADV2", padded}, {}, Quantized::kSame},
    {70, {"EXPAND_DIMS", expanded}, {}, Quantized::kSame},
};

}  // namespace

std::int32_t read_block(const Call& call) {
  const std::int32_t block = call.attrs().integer("block_size", 0);
  check(block > 0, "its block size is ", block);
  return block;
}

std::span<const OpRow> movement_rows() { return kRows; }

}  // namespace tenure::tflite
