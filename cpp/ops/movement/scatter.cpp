// Gathers and scatters of slices, addressed by the last dimension of the indices.
#include "core/error.h"
#include "ops/autodiff/gradient.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {
namespace {

// Throws unless updates.shape is indices.shape[:-1] + shape[depth:]. Indices of rank 1 address single slices
// of the first dimension.
void check_updates(const Tensor& indices, const Tensor& updates, const Shape& shape, const char* op) {
  check_shape(indices.rank() >= 1, "tf.", op,
              "() expects the indices to be rank 1 or higher, but the rank was ", indices.rank(), ".");
  check_shape(updates.rank() >= 1, "tf.", op,
              "() expects the updates to be rank 1 or higher, but the rank was ", updates.rank(), ".");
  check_shape(!shape.empty(), "Output rank must be greater or equal to 1, but got shape: ", shape);
  check_shape(shape.elements() > 0 || (indices.elements() == 0 && updates.elements() == 0),
              "Indices and updates specified for empty output of shape ", shape);
  const int depth = indices.rank() > 1 ? indices.shape().back() : 1;
  const int batch = indices.rank() > 1 ? indices.rank() - 1 : 1;
  bool fits = depth <= shape.size() && updates.rank() == batch + shape.size() - depth;
  for (int i = 0; fits && i < updates.rank(); ++i)
    fits = updates.dim(i) == (i < batch ? indices.dim(i) : shape[i - batch + depth]);
  check_shape(fits,
              "Must have updates.shape = indices.shape[:batchDim] + shape[sliceDim:], got updates.shape: ",
              updates.shape(), ", indices.shape: ", indices.shape(), ", shape: ", shape,
              ", sliceDim: ", depth, ", and batchDim: ", batch, ".");
}

}  // namespace

TensorSpec gather_nd(Inputs in, const NoneAttrs&) {
  const Shape& x = in[0].shape();
  const Shape& indices = in[1].shape();
  check_shape(x.rank >= 1, "tf.gatherND() expects the input to be rank 1 or higher, but the rank was ",
              x.rank, ".");
  check_shape(indices.rank >= 1,
              "tf.gatherND() expects the indices to be rank 1 or higher, but the rank was ", indices.rank,
              ".");
  const int depth = indices.back();
  check_shape(depth <= x.rank, "index innermost dimension length must be <= tensor rank; saw: ", depth,
              " vs. ", x.rank);
  Shape shape(std::span(indices.begin(), indices.end() - 1));
  check_shape(x.elements() > 0 || shape.elements() == 0,
              "Requested more than 0 entries, but input is empty. Input shape: ", x, ".");
  for (int i = depth; i < x.rank; ++i) shape.push_back(x[i]);
  return {shape, in[0].dtype()};
}

TensorSpec scatter_nd(Inputs in, const ToShapeAttrs& attrs) {
  const Shape shape(attrs.shape);
  shape.validate();
  check_updates(in[0], in[1], shape, "scatterND");
  return {shape, in[1].dtype()};
}

TensorSpec tensor_scatter_update(Inputs in, const NoneAttrs&) {
  check(in[0].dtype() == in[2].dtype(), "tensor and updates must have the same dtype, instead they are ",
        get_name(in[0].dtype()), " and ", get_name(in[2].dtype()), ".");
  check_updates(in[1], in[2], in[0].shape(), "tensorScatterUpdate");
  return in[0].spec();
}

}  // namespace tenure::infer

namespace tenure::grad {
namespace {

// Returns indices with a last dimension of depth 1 if they have rank 1, as gather_nd() takes them.
Tensor with_depth(const Tensor& indices) {
  return indices.rank() > 1 ? indices : expand_dims(indices, {.axis = 1});
}

}  // namespace

Tensors gather_nd(const GradientArgs& args, const NoneAttrs&) {
  const Tensor& indices = args.in[1];
  if (indices.rank() > 1) return {scatter_nd(indices, args.g, {args.in[0].shape()})};
  return {scatter_nd(expand_dims(indices), expand_dims(args.g), {args.in[0].shape()})};
}

Tensors scatter_nd(const GradientArgs& args, const ToShapeAttrs&) {
  return {Tensor(), gather_nd(args.g, with_depth(args.in[0]))};
}

Tensors tensor_scatter_update(const GradientArgs& args, const NoneAttrs&) {
  const Tensor& indices = args.in[1];
  const auto without_updated = [&] {
    const Tensor zeros = fill({.shape = args.in[2].shape(), .dtype = args.g.dtype()});
    return tensor_scatter_update(args.g, indices, zeros);
  };
  return {args.needs_grad(0) ? without_updated() : Tensor(), Tensor(),
          args.needs_grad(2) ? gather_nd(args.g, with_depth(indices)) : Tensor()};
}

}  // namespace tenure::grad

namespace tenure::composed {

Tensor sparse_to_dense(const Tensor& indices, const Tensor& values, const Tensor& fallback,
                       const ToShapeAttrs& attrs) {
  const Shape shape(attrs.shape);
  shape.validate();
  check(values.dtype() == fallback.dtype(), "sparseValues.dtype must match defaultValues.dtype");
  check_shape(indices.rank() <= 2, "sparseIndices should be a scalar, vector, or matrix, but got shape ",
              indices.shape(), ".");
  const std::int32_t count = indices.rank() > 0 ? indices.dim(0) : 1;
  const int depth = indices.rank() > 1 ? indices.dim(1) : 1;
  check_shape(shape.size() == depth, "outputShape has incorrect number of elements:, ", shape.size(),
              ", should be: ", depth, ".");
  check_shape(values.rank() == 0 || (values.rank() == 1 && values.dim(0) == count),
              "sparseValues has incorrect shape ", values.shape(), ", should be [] or [", count, "]");
  check_shape(fallback.elements() == 1, "expected one default value, got ", fallback.shape());
  TileAttrs everywhere;
  TileAttrs each{.reps = {count}};
  Dims ones;
  for (const std::int32_t extent : shape) {
    everywhere.reps.push_back(extent);
    ones.push_back(1);
  }
  const Tensor dense = tile(reshape(fallback, {ones}), everywhere);
  const Tensor updates = values.rank() == 1 ? values : tile(reshape(values, {{1}}), each);
  return tensor_scatter_update(dense, reshape(indices, {{count, depth}}), updates);
}

}  // namespace tenure::composed
