#include <limits>

#include "ops/autodiff/gradient.h"
#include "ops/dtypes.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {

TensorSpec tile(Inputs in, const TileAttrs& attrs) {
  Shape shape = in[0].shape();
  check_shape(attrs.reps.size() == shape.size(), "rank of input ", shape.size(),
              " must match length of reps ", attrs.reps, ".");
  for (int i = 0; i < shape.size(); ++i) {
    check_shape(attrs.reps[i] >= 0, "expected reps of 0 or more, got ", attrs.reps);
    const std::int64_t extent = std::int64_t{shape[i]} * attrs.reps[i];
    check_shape(extent <= std::numeric_limits<std::int32_t>::max(), "the result would have ", extent,
                " elements along axis ", i);
    shape[i] = static_cast<std::int32_t>(extent);
  }
  return {shape, in[0].dtype()};
}

}  // namespace tenure::infer

namespace tenure::grad {

// One axis at a time, since summing over all copies at once may need more than kMaxRank dimensions.
Tensors tile(const GradientArgs& args, const TileAttrs& attrs) {
  Shape shape = args.g.shape();
  Tensor g = args.g;
  for (int i = 0; i < shape.rank; ++i) {
    if (attrs.reps[i] == 1) continue;
    const auto before = static_cast<std::int32_t>(shape.elements(0, i));
    shape[i] = args.in[0].dim(i);
    const auto copy = static_cast<std::int32_t>(shape.elements(i, shape.rank));
    g = sum(reshape(g, {{before, attrs.reps[i], copy}}), {.axes = {1}});
  }
  return {reshape(g, {shape})};
}

}  // namespace tenure::grad

namespace tenure::composed {

Tensor broadcast_to(const Tensor& x, const ToShapeAttrs& to) {
  const Shape shape(to.shape);
  shape.validate();
  check_shape(broadcasts_to(x.shape(), shape), "a tensor of shape ", x.shape(), " cannot be broadcast to ",
              shape);
  if (x.shape() == shape) return x;
  Shape padded;
  TileAttrs attrs;
  for (int i = 0; i < shape.rank; ++i) {
    const int at = i - (shape.rank - x.rank());
    padded.push_back(at < 0 ? 1 : x.dim(at));
    attrs.reps.push_back(padded[i] == shape[i] ? 1 : shape[i]);
  }
  return tile(reshape(x, {padded}), attrs);
}

Tensors meshgrid(const Tensor& x, const Tensor& y, const MeshGridAttrs& attrs) {
  const auto along = [](const Tensor& values, bool rows) {
    return reshape(values, {rows ? Shape{-1, 1} : Shape{1, -1}});
  };
  const bool rows = attrs.along_rows != 0;
  const auto across = static_cast<std::int32_t>(x.elements());
  const auto down = static_cast<std::int32_t>(y.elements());
  const Shape grid = rows ? Shape{across, down} : Shape{down, across};
  return {tenure::broadcast_to(along(x, rows), {grid}), tenure::broadcast_to(along(y, !rows), {grid})};
}

}  // namespace tenure::composed
