#include "import/graphdef/families.h"
#include "model/executor/operands.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

Tensor padded(const Call& call) {
  PadAttrs attrs{.value = call.size() > 2 ? call.number(2)
                                          : static_cast<float>(call.attrs().number("constant_value", 0))};
  read_pads(call, attrs.before, attrs.after);
  return pad(call[0], attrs);
}

Tensor mirrored(const Call& call) {
  const std::string_view mode = call.attrs().string("mode");
  check(mode == "REFLECT" || mode == "SYMMETRIC", "attribute \"mode\" is \"", mode,
        "\"; known are REFLECT and SYMMETRIC");
  MirrorPadAttrs attrs{.symmetric = mode == "SYMMETRIC"};
  read_pads(call, attrs.before, attrs.after);
  return mirror_pad(call[0], attrs);
}

Tensor squeezed(const Call& call) {
  AxesAttrs attrs;
  for (const std::string_view name : {"squeeze_dims", "axis"}) {
    for (const std::int32_t axis : call.attrs().integers(name)) attrs.axes.push_back(axis);
    if (!attrs.axes.empty()) break;
  }
  return squeeze(call[0], attrs);
}

Tensor ensured(const Call& call) {
  const Dims shape = call.dims(1);
  check_shape(matches(call[0].shape(), shape), "EnsureShape: Shape of tensor ", call[0].shape(),
              " is not compatible with expected shape ", shape);
  return call[0];
}

Tensor broadcast_shapes(const Call& call) {
  const Shape shape = broadcast(call.shape(0), call.shape(1));
  return Tensor::from(std::span<const std::int32_t>(shape.begin(), shape.end()), {shape.rank});
}

Tensor converted(const Call& call) {
  const DType dtype = call.attrs().dtype("DstT");
  return call[0].dtype() == dtype ? call[0] : cast(call[0], {dtype});
}

Tensor to_batch(const Call& call) { return space_to_batch(call[0], read_blocks(call)); }
Tensor from_batch(const Call& call) { return batch_to_space(call[0], read_blocks(call)); }
Tensor from_depth(const Call& call) {
  return depth_to_space(call[0], {.block = call.attrs().integer("block_size", 1),
                                  .channels_first = call.attrs().string("data_format") == "NCHW"});
}

Tensor reshaped(const Call& call) { return reshape(call[0], {call.dims(1)}); }
Tensor expanded(const Call& call) { return expand_dims(call[0], {call.integer(1)}); }
Tensor broadcasted(const Call& call) { return broadcast_to(call[0], {call.shape(1)}); }

constexpr Row kRows[] = {
    {"SpaceToBatchND", to_batch},
    {"BatchToSpaceND", from_batch},
    {"DepthToSpace", from_depth},
    {"Reshape", reshaped},
    {"Pad", padded},
    {"PadV2", padded},
    {"MirrorPad", mirrored},
    {"ExpandDims", expanded},
    {"Squeeze", squeezed},
    {"Cast", converted},
    {"BroadcastTo", broadcasted},
    {"BroadcastArgs", broadcast_shapes},
    {"EnsureShape", ensured},
};

}  // namespace

std::span<const Row> transformation_rows() { return kRows; }

}  // namespace tenure::graphdef
