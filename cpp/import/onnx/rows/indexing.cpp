// Ops that select elements by positions.

#include <algorithm>

#include "import/onnx/families.h"
#include "import/onnx/rows/indexing.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

Tensor gathered(const Call& call) {
  const Tensor& x = call[0];
  const int axis = normalize_axis(call.attrs().integer("axis", 0), x.rank());
  return gather(x, from_start(call[1], x.dim(axis), axis), {.axis = axis});
}

Tensor gathered_nd(const Call& call) {
  const Tensor& x = call[0];
  const Tensor indices = as_indices(call[1]);
  const std::int32_t batches = call.attrs().integer("batch_dims", 0);
  check_shape(batches >= 0 && batches < indices.rank() && indices.shape().back() <= x.rank() - batches,
              "attribute \"batch_dims\" is ", batches, " for ", x.shape(), " and indices of ",
              indices.shape());
  std::vector<std::int32_t> extents;
  for (int i = batches; i < batches + indices.shape().back(); ++i) extents.push_back(x.dim(i));
  const Tensor ends = Tensor::from(std::span<const std::int32_t>(extents), {indices.shape().back()});
  Tensor at = checked_arithmetic(indices, ends, {.op = IntegerArithmetic::kIndex, .axis = batches});
  // The position in each batch dimension becomes an index before those that are given.
  Shape column = indices.shape();
  column.back() = 1;
  for (int i = batches; i-- > 0;) {
    Shape along{x.dim(i)};
    while (i + along.rank < column.rank) along.push_back(1);
    const Tensor count = range({.step = 0, .int_step = 1, .count = x.dim(i), .dtype = DType::kInt32});
    at = concat({broadcast_to(reshape(count, {along}), {column}), at}, {indices.rank() - 1});
  }
  return gather_nd(x, at);
}

struct SliceRange {
  std::int32_t begin;
  std::int32_t end;
};

/// Returns the range of a slice of a dimension, clamped to it as NumPy does. The end of a negative step may
/// be -1.
SliceRange clamp_range(std::int32_t begin, std::int32_t end, std::int32_t step, std::int32_t extent) {
  const auto from_start = [&](std::int32_t at) { return at < 0 ? std::int64_t{at} + extent : at; };
  const std::int64_t low = step > 0 ? 0 : -1;
  const std::int64_t high = step > 0 ? extent : extent - 1;
  return {static_cast<std::int32_t>(std::clamp(from_start(begin), std::min<std::int64_t>(0, high), high)),
          static_cast<std::int32_t>(std::clamp(from_start(end), low, high))};
}

Tensor sliced(const Call& call) {
  const Tensor& x = call[0];
  const bool has_inputs = opset(call) >= 10;
  const auto list = [&](int input, std::string_view name) {
    if (!has_inputs) return call.attrs().integers(name);
    return has(call, input) ? call.integers(input) : std::vector<std::int32_t>();
  };
  const std::vector<std::int32_t> starts = list(1, "starts");
  const std::vector<std::int32_t> ends = list(2, "ends");
  std::vector<std::int32_t> axes = list(3, "axes");
  std::vector<std::int32_t> steps = list(4, "steps");
  if (axes.empty()) {
    for (std::size_t i = 0; i < starts.size(); ++i) axes.push_back(static_cast<std::int32_t>(i));
  }
  if (steps.empty()) steps.assign(starts.size(), 1);
  check_shape(ends.size() == starts.size() && axes.size() == starts.size() && steps.size() == starts.size(),
              "it has ", starts.size(), " starts, ", ends.size(), " ends, ", axes.size(), " axes and ",
              steps.size(), " steps");
  StridedSliceAttrs attrs;
  for (int i = 0; i < x.rank(); ++i) {
    attrs.begin.push_back(0);
    attrs.end.push_back(x.dim(i));
    attrs.strides.push_back(1);
  }
  bool is_plain = true;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const int axis = normalize_axis(axes[i], x.rank());
    check(steps[i] != 0, "it has a step of 0");
    const SliceRange range = clamp_range(starts[i], ends[i], steps[i], x.dim(axis));
    is_plain = is_plain && steps[i] == 1;
    attrs.begin[axis] = range.begin;
    attrs.end[axis] = range.end;
    attrs.strides[axis] = steps[i];
    // -1 would stand for the last element.
    if (range.end < 0) attrs.end_mask |= 1 << axis;
  }
  if (!is_plain) return strided_slice(x, attrs);
  Dims size;
  for (int i = 0; i < x.rank(); ++i) size.push_back(std::max(0, attrs.end[i] - attrs.begin[i]));
  return slice(x, {attrs.begin, size});
}

constexpr Row kRows[] = {
    {"Gather", gathered},
    {"GatherND", gathered_nd},
    {"Slice", sliced},
};

}  // namespace

std::span<const Row> indexing_rows() { return kRows; }

Tensor from_start(const Tensor& indices, std::int32_t extent, int axis) {
  return checked_arithmetic(as_indices(indices), Tensor::from({extent}, {1}),
                            {.op = IntegerArithmetic::kIndex, .axis = axis});
}

}  // namespace tenure::onnx
