#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

EdgeValues to_edge_values(Tensors tensors) {
  EdgeValues items;
  for (Tensor& tensor : tensors) items.emplace_back(std::move(tensor));
  return items;
}

/// Concatenates tensors; the axis is the last input.
Tensor joined(const Call& call) {
  const std::int32_t count = std::min(call.attrs().integer("N", call.size() - 1), call.size() - 1);
  return concat(call.tensors(0, count), {call.integer(call.size() - 1)});
}

/// Concatenates tensors; the axis is the first input.
Tensor joined_after(const Call& call) { return concat(call.tensors(1), {call.integer(0)}); }

Tensor as_indices(const Tensor& x) { return x.dtype() == DType::kInt32 ? x : cast(x, {DType::kInt32}); }

Tensor gathered(const Call& call) {
  const std::int32_t axis = call.size() > 2 ? call.integer(2) : 0;
  return gather(call[0], as_indices(call[1]),
                {.axis = axis, .batch_dims = call.attrs().integer("batch_dims", 0)});
}

Tensor reversed(const Call& call) {
  AxesAttrs attrs;
  if (call.node().op == "ReverseV2") {
    attrs.axes = call.dims(1);
  } else {
    const Dims flags = call.dims(1);
    for (int i = 0; i < flags.rank; ++i) {
      if (flags[i] != 0) attrs.axes.push_back(i);
    }
  }
  return attrs.axes.empty() ? call[0] : reverse(call[0], attrs);
}

Tensor sliced(const Call& call) { return slice(call[0], {call.dims(1), call.dims(2)}); }

Tensor strided(const Call& call) {
  const Attributes& attrs = call.attrs();
  return strided_slice(call[0], {.begin = call.dims(1),
                                 .end = call.dims(2),
                                 .strides = call.dims(3),
                                 .begin_mask = attrs.integer("begin_mask", 0),
                                 .end_mask = attrs.integer("end_mask", 0),
                                 .ellipsis_mask = attrs.integer("ellipsis_mask", 0),
                                 .new_axis_mask = attrs.integer("new_axis_mask", 0),
                                 .shrink_axis_mask = attrs.integer("shrink_axis_mask", 0)});
}

Shape without_ones(const Shape& shape) {
  Shape kept;
  for (const std::int32_t extent : shape) {
    if (extent != 1) kept.push_back(extent);
  }
  return kept;
}

/// Stacks tensors. Shapes that only differ in dimensions of 1 become the first one's, as in TensorFlow.js.
Tensor packed(const Call& call) {
  Tensors tensors = call.tensors();
  check(!tensors.empty(), "expected tensors to pack, got none");
  const Shape shape = tensors[0].shape();
  for (Tensor& tensor : tensors) {
    if (tensor.shape() == shape) continue;
    check_shape(without_ones(tensor.shape()) == without_ones(shape),
                "the input tensors shape does not match");
    tensor = reshape(tensor, {shape});
  }
  return stack(tensors, {call.attrs().integer("axis", 0)});
}

EdgeValues unpacked(const Call& call) {
  return to_edge_values(unstack(call[0], {call.attrs().integer("axis", 0)}));
}

Tensor tiled(const Call& call) { return tile(call[0], {call.dims(1)}); }

EdgeValues split_evenly(const Call& call) {
  const Tensor& x = call[1];
  const std::int32_t axis = normalize_axis(call.integer(0), x.rank());
  const std::int32_t count = call.attrs().integer("num_split", 1);
  check_shape(count > 0 && x.dim(axis) % count == 0,
              "Number of splits must evenly divide the axis: ", x.dim(axis), " by ", count);
  const std::vector<std::int32_t> sizes(static_cast<std::size_t>(count), x.dim(axis) / count);
  return to_edge_values(split(x, {.sizes = sizes, .axis = axis}));
}

EdgeValues split_by_sizes(const Call& call) {
  const std::vector<std::int32_t> sizes = call.integers(1);
  return to_edge_values(split(call[0], {.sizes = sizes, .axis = call.integer(2)}));
}

Tensor scattered(const Call& call) { return scatter_nd(call[0], call[1], {call.dims(2)}); }
Tensor gathered_from(const Call& call) { return gather_nd(call[0], as_indices(call[1])); }
Tensor made_dense(const Call& call) {
  const Tensor& values = call[2];
  const Tensor& otherwise = call[3];
  return sparse_to_dense(call[0], values,
                         otherwise.dtype() == values.dtype() ? otherwise : cast(otherwise, {values.dtype()}),
                         {call.dims(1)});
}
Tensor updated(const Call& call) { return tensor_scatter_update(call[0], as_indices(call[1]), call[2]); }

constexpr Row kRows[] = {
    {"ScatterNd", scattered},
    {"GatherNd", gathered_from},
    {"SparseToDense", made_dense},
    {"TensorScatterUpdate", updated},
    {"StridedSlice", strided},
    {"ConcatV2", joined},
    {"Pack", packed},
    {"GatherV2", gathered},
    {"Slice", sliced},
    {"Unpack", unpacked},
    {"Tile", tiled},
    {"Split", split_evenly},
    {"SplitV", split_by_sizes},
    {"Concat", joined_after},
    {"Gather", gathered},
    {"Reverse", reversed},
    {"ReverseV2", reversed},
};

}  // namespace

std::span<const Row> slice_join_rows() { return kRows; }

}  // namespace tenure::graphdef
