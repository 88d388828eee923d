#include <algorithm>

#include "core/error.h"
#include "ops/autodiff/gradient.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {
namespace {

// Returns the number of leading dimensions that x and the indices share. A negative `batch_dims` counts from
// the indices' rank.
int get_batch_dims(const Shape& x, const Shape& indices, int batch_dims, int axis) {
  check_shape(batch_dims >= -indices.size() && batch_dims <= indices.size(),
              "Expect batchDims in the range of [-", indices.size(), ", ", indices.size(), "], but got ",
              batch_dims);
  if (batch_dims < 0) batch_dims += indices.size();
  check_shape(batch_dims <= axis, "batchDims (", batch_dims, ") must be less than or equal to axis (", axis,
              ").");
  check_shape(batch_dims < x.size(), "batchDims (", batch_dims, ") must be less than rank(x) (", x.size(),
              ").");
  for (int i = 0; i < batch_dims; ++i) {
    check_shape(x[i] == indices[i], "x.shape[", i, "]: ", x[i], " should be equal to indices.shape[", i,
                "]: ", indices[i], ".");
  }
  return batch_dims;
}

}  // namespace

TensorSpec gather(Inputs in, const GatherAttrs& attrs) {
  const Shape& x = in[0].shape();
  const Shape& indices = in[1].shape();
  const int axis = normalize_axis(attrs.axis, x.size());
  Shape shape;
  for (int i = 0; i < axis; ++i) shape.push_back(x[i]);
  for (int i = get_batch_dims(x, indices, attrs.batch_dims, axis); i < indices.size(); ++i)
    shape.push_back(indices[i]);
  for (int i = axis + 1; i < x.size(); ++i) shape.push_back(x[i]);
  return {shape, in[0].dtype()};
}

TensorSpec unsorted_segment_sum(Inputs in, const SegmentsAttrs& attrs) {
  const Shape& x = in[0].shape();
  const Shape& ids = in[1].shape();
  check_shape(attrs.segments >= 0, "numSegments must be of dtype int, 0 or more, got ", attrs.segments);
  const int axis = attrs.axis;
  check_shape(axis >= 0 && attrs.batch_dims >= 0 && attrs.batch_dims <= std::min(axis, ids.rank) &&
                  axis <= x.rank && axis + ids.rank - attrs.batch_dims <= x.rank,
              "segmentIds of shape ", ids, " do not fit x of shape ", x, " along axis ", axis);
  for (int i = 0; i < ids.rank; ++i) {
    const int at = i < attrs.batch_dims ? i : axis + i - attrs.batch_dims;
    check_shape(ids[i] == x[at], "segmentIds.shape = ", ids, " must match x.shape = ", x, " from axis ", axis,
                " on");
  }
  Shape shape;
  for (int i = 0; i < axis; ++i) shape.push_back(x[i]);
  shape.push_back(attrs.segments);
  for (int i = axis + ids.rank - attrs.batch_dims; i < x.rank; ++i) shape.push_back(x[i]);
  return {shape, in[0].dtype()};
}

}  // namespace tenure::infer

namespace tenure::grad {

Tensors gather(const GradientArgs& args, const GatherAttrs& attrs) {
  const Shape& x = args.in[0].shape();
  const Tensor& indices = args.in[1];
  const int axis = normalize_axis(attrs.axis, x.rank);
  const int batch_dims = attrs.batch_dims < 0 ? attrs.batch_dims + indices.rank() : attrs.batch_dims;
  return {
      unsorted_segment_sum(args.g, indices, {.segments = x[axis], .axis = axis, .batch_dims = batch_dims})};
}

// Elements whose id is out of range are in no sum, so their gradient is 0.
Tensors unsorted_segment_sum(const GradientArgs& args, const SegmentsAttrs& attrs) {
  const Shape& x = args.in[0].shape();
  const Tensor& ids = args.in[1];
  if (attrs.segments == 0 || x.elements() == 0) return {fill({.shape = x})};
  const Tensor nearest = minimum(maximum(ids, Tensor::scalar(0)), Tensor::scalar(attrs.segments - 1));
  Shape along = x;
  for (int i = attrs.batch_dims; i < x.rank; ++i) {
    if (i < attrs.axis || i >= attrs.axis + ids.rank() - attrs.batch_dims) along[i] = 1;
  }
  const Tensor picked = gather(args.g, nearest, {.axis = attrs.axis, .batch_dims = attrs.batch_dims});
  return {where(reshape(equal(ids, nearest), {along}), picked, Tensor::scalar(0.0F))};
}

}  // namespace tenure::grad
