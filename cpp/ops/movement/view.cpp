#include "core/error.h"
#include "ops/infer.h"

namespace tenure::infer {
namespace {

// Returns the extent that -1 stands for, given the product of the others.
std::int32_t implicit_extent(const Dims& shape, std::size_t elements, std::size_t others) {
  check_shape(others > 0, "Cannot infer the missing size in [", join_dims(shape),
              "] when there are 0 elements");
  check_shape(elements % others == 0, "The implicit shape can't be a fractional number. Got ", elements,
              " / ", others);
  return static_cast<std::int32_t>(elements / others);
}

}  // namespace

TensorSpec identity(Inputs in, const NoneAttrs&) { return in[0].spec(); }

TensorSpec reshape(Inputs in, const ToShapeAttrs& attrs) {
  check_shape(attrs.shape.size() >= 0 && attrs.shape.size() <= kMaxRank, "expected a rank from 0 to ",
              kMaxRank, ", got ", attrs.shape.size());
  const std::size_t elements = in[0].elements();
  Shape shape(attrs.shape);
  int implicit = -1;
  for (int i = 0; i < shape.size(); ++i) {
    check_shape(shape[i] >= -1, "Shapes can not be < 0. Found ", shape[i], " at dim ", i);
    if (shape[i] != -1) continue;
    check_shape(implicit < 0, "Shapes can only have 1 implicit size. Found -1 at dim ", implicit, " and dim ",
                i);
    implicit = i;
  }
  if (implicit >= 0) shape[implicit] = 1;
  shape.validate();
  if (implicit >= 0) shape[implicit] = implicit_extent(attrs.shape, elements, shape.elements());
  check_shape(shape.elements() == elements, "Size(", elements, ") must match the product of shape ",
              join_dims(attrs.shape));
  return {shape, in[0].dtype()};
}

TensorSpec expand_dims(Inputs in, const AxisAttrs& attrs) {
  const int rank = in[0].rank();
  check_shape(attrs.axis <= rank, "Axis must be <= rank of the tensor");
  check_shape(attrs.axis >= -(rank + 1), "Axis must be in the interval [", -(rank + 1), ", ", rank, "]");
  Shape shape = in[0].shape();
  shape.insert(attrs.axis < 0 ? attrs.axis + rank + 1 : attrs.axis, 1);
  return {shape, in[0].dtype()};
}

TensorSpec squeeze(Inputs in, const AxesAttrs& attrs) {
  const Shape& from = in[0].shape();
  const Dims axes = normalize_axes(attrs.axes, from.size());
  Shape shape;
  for (int i = 0; i < from.size(); ++i) {
    const bool named = !attrs.axes.empty() && axes.contains(i);
    check_shape(!named || from[i] == 1, "Can't squeeze axis ", i, " since its dim '", from[i], "' is not 1");
    if (attrs.axes.empty() ? from[i] != 1 : !named) shape.push_back(from[i]);
  }
  return {shape, in[0].dtype()};
}

}  // namespace tenure::infer
