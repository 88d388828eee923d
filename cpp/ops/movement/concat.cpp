#include <limits>

#include "ops/autodiff/gradient.h"
#include "ops/dtypes.h"
#include "ops/infer.h"
#include "ops/movement/slice.h"
#include "ops/ops.h"

namespace tenure::infer {

TensorSpec concat(Inputs in, const AxisAttrs& attrs) {
  const Shape& first = in[0].shape();
  const int rank = first.size();
  const int axis = normalize_axis(attrs.axis, rank);
  std::int64_t extent = 0;
  for (int i = 0; i < in.size(); ++i) {
    check(in[i].dtype() == in[0].dtype(), "expected tensors of one dtype, got ", get_name(in[0].dtype()),
          " and, in tensors[", i, "], ", get_name(in[i].dtype()));
    const Shape& shape = in[i].shape();
    check_shape(shape.size() == rank, "Error in concat", rank, "D: rank of tensors[", i,
                "] must be the same as the rank of the rest (", rank, ")");
    for (int d = 0; d < rank; ++d) {
      check_shape(d == axis || shape[d] == first[d], "Error in concat", rank, "D: Shape of tensors[", i, "] ",
                  shape, " does not match the shape of the rest ", first, " along the non-concatenated axis ",
                  d, ".");
    }
    extent += shape[axis];
  }
  check_shape(extent <= std::numeric_limits<std::int32_t>::max(), "the result would have ", extent,
              " elements along axis ", axis);
  Shape shape = first;
  shape[axis] = static_cast<std::int32_t>(extent);
  return {shape, in[0].dtype()};
}

}  // namespace tenure::infer

namespace tenure::composed {

Tensor stack(Inputs in, const AxisAttrs& attrs) {
  const int rank = in[0].rank();
  check_shape(attrs.axis >= -(rank + 1) && attrs.axis <= rank, "Axis must be <= rank of the tensor, got ",
              attrs.axis, " for rank ", rank);
  Tensors expanded;
  expanded.reserve(static_cast<std::size_t>(in.size()));
  for (int i = 0; i < in.size(); ++i) {
    check_shape(in[i].shape() == in[0].shape(), "All tensors passed to stack must have matching shapes, got ",
                in[0].shape(), " and ", in[i].shape());
    check(in[i].dtype() == in[0].dtype(), "All tensors passed to stack must have matching dtypes, got ",
          get_name(in[0].dtype()), " and ", get_name(in[i].dtype()));
    expanded.push_back(tenure::expand_dims(in[i], {attrs.axis}));
  }
  return tenure::concat(expanded, {attrs.axis});
}

}  // namespace tenure::composed

namespace tenure::grad {

Tensors concat(const GradientArgs& args, const AxisAttrs& attrs) {
  const int axis = normalize_axis(attrs.axis, args.g.rank());
  Tensors gradients;
  std::int32_t begin = 0;
  for (int i = 0; i < args.in.size(); ++i) {
    const std::int32_t size = args.in[i].dim(axis);
    gradients.push_back(args.needs_grad(i) ? slice_axis(args.g, axis, begin, size) : Tensor());
    begin += size;
  }
  return gradients;
}

}  // namespace tenure::grad
