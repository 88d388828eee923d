// STABLEHLO_GATHER: slices at indices along several axes.

#include <algorithm>

#include "import/tflite/families.h"
#include "import/tflite/rare/slices.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kSliceGatherOptions[] = {{"offset_dims", 0, Option::kLongs},
                                          {"collapsed_slice_dims", 1, Option::kLongs},
                                          {"start_index_map", 2, Option::kLongs},
                                          {"index_vector_dim", 3, Option::kInt},
                                          {"slice_sizes", 4, Option::kLongs}};

Tensor to_vector(const std::vector<std::int32_t>& values) {
  return Tensor::from(std::span<const std::int32_t>(values), {static_cast<std::int32_t>(values.size())});
}

/// Returns the distances of a slice's elements from its first one, in a tensor of `strides`.
std::vector<std::int32_t> find_offsets(const std::vector<std::int32_t>& sizes, const Dims& strides) {
  std::vector<std::int32_t> offsets{0};
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    std::vector<std::int32_t> next;
    next.reserve(offsets.size() * static_cast<std::size_t>(sizes[axis]));
    for (const std::int32_t offset : offsets) {
      for (std::int32_t i = 0; i < sizes[axis]; ++i)
        next.push_back(offset + i * strides[static_cast<int>(axis)]);
    }
    offsets = std::move(next);
  }
  return offsets;
}

/// Returns a slice of input 0 for each vector of coordinates in input 1, which are clamped to where the slice
/// fits. The result has the slices' axes at "offset_dims", without those of "collapsed_slice_dims".
Tensor gather_slices(const Call& call) {
  const Tensor& x = call[0];
  const Tensor starts = read_starts(call);
  const std::vector<std::int32_t> sizes = read_per_axis(call, "slice_sizes");
  const std::vector<std::int32_t> axes = call.attrs().integers("start_index_map");
  const std::vector<std::int32_t> collapsed = call.attrs().integers("collapsed_slice_dims");
  const std::vector<std::int32_t> offset_dims = call.attrs().integers("offset_dims");
  Shape shape = starts.shape();
  shape.rank -= 1;
  const int batch = shape.rank;
  const std::int32_t width = starts.shape().back();
  for (int axis = 0; axis < x.rank(); ++axis) {
    const std::int32_t size = sizes[static_cast<std::size_t>(axis)];
    check_shape(size >= 0 && size <= x.dim(axis), "a slice of ", size, " elements along axis ", axis,
                " does not fit ", x.shape());
    if (!contains(collapsed, axis)) shape.push_back(size);
    check_shape(size == 1 || !contains(collapsed, axis), "it drops axis ", axis, " of ", size, " elements");
  }
  shape.validate();
  check_shape(axes.size() == static_cast<std::size_t>(width) &&
                  offset_dims.size() == static_cast<std::size_t>(shape.rank - batch),
              "coordinates of ", width, " axes and slices of ", shape.rank - batch, " axes do not fit ",
              axes.size(), " numbers of start_index_map and ", offset_dims.size(), " of offset_dims");
  const Dims strides = x.shape().strides();
  std::vector<std::int32_t> highest;
  std::vector<std::int32_t> factors;
  Dims known;
  for (const std::int32_t axis : axes) {
    check_shape(axis >= 0 && axis < x.rank() && !known.contains(axis), "its start_index_map has axis ", axis,
                " for ", x.shape());
    known.push_back(axis);
    highest.push_back(x.dim(axis) - sizes[static_cast<std::size_t>(axis)]);
    factors.push_back(strides[axis]);
  }
  PermutationAttrs order;
  int batch_axis = 0;
  int slice_axis = batch;
  for (int i = 0; i < shape.rank; ++i)
    order.perm.push_back(contains(offset_dims, i) ? slice_axis++ : batch_axis++);
  check_shape(batch_axis == batch, "its offset_dims are not axes of a result of rank ", shape.rank);
  if (shape.elements() == 0) return transpose(fill({.shape = shape, .dtype = x.dtype()}), order);
  const auto count = static_cast<std::int32_t>(shape.elements(0, batch));
  const Tensor rows = reshape(starts, {Shape{count, width}});
  const Tensor clamped = minimum(maximum(rows, Tensor::scalar(0)), to_vector(highest));
  const Tensor firsts = sum(mul(clamped, to_vector(factors)), {.axes = {1}, .keep_dims = true});
  const Tensor positions = add(firsts, to_vector(find_offsets(sizes, strides)));
  return transpose(reshape(gather(reshape(x, {Shape{-1}}), positions, {.axis = 0}), {shape}), order);
}

constexpr OpRow kRows[] = {
    {201, {"STABLEHLO_GATHER", gather_slices}, kSliceGatherOptions, Quantized::kSame},
};

}  // namespace

bool contains(const std::vector<std::int32_t>& list, std::int32_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

Tensor read_starts(const Call& call) {
  const Tensor starts = as_indices(call[1]);
  const std::int32_t axis = call.attrs().integer("index_vector_dim", 0);
  check_shape(axis >= 0 && axis <= starts.rank(), "its index_vector_dim is ", axis, ", the indices are ",
              starts.shape());
  if (axis == starts.rank()) return expand_dims(starts, {-1});
  PermutationAttrs order;
  for (int i = 0; i < starts.rank(); ++i) {
    if (i != axis) order.perm.push_back(i);
  }
  order.perm.push_back(axis);
  return transpose(starts, order);
}

std::span<const OpRow> slice_gather_rows() { return kRows; }

}  // namespace tenure::tflite
