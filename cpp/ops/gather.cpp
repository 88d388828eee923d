#include "ops/dtypes.h"
#include "ops/infer.h"

namespace tenure::infer {
namespace {

// How many leading dimensions x and the indices share; a negative number counts from the indices' rank.
int batch_dims_of(const Shape& x, const Shape& indices, int batch_dims, int axis) {
  check_shape(batch_dims >= -indices.size() && batch_dims <= indices.size(),
              "Expect batchDims in the range of [-", indices.size(), ", ", indices.size(), "], but got ",
              batch_dims);
  if (batch_dims < 0) batch_dims += indices.size();
  check_shape(batch_dims < x.size(), "batchDims (", batch_dims, ") must be less than rank(x) (", x.size(),
              ").");
  check_shape(batch_dims <= axis, "batchDims (", batch_dims, ") must be less than or equal to axis (", axis,
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
  check_kernel_dtype(in[0].dtype());
  check(in[1].dtype() == DType::kInt32,
        "Argument 'indices' passed to 'gather' must be int32 tensor, but got ", name_of(in[1].dtype()),
        " tensor");
  const int axis = normalize_axis(attrs.axis, x.size());
  Shape shape;
  for (int i = 0; i < axis; ++i) shape.push_back(x[i]);
  for (int i = batch_dims_of(x, indices, attrs.batch_dims, axis); i < indices.size(); ++i)
    shape.push_back(indices[i]);
  for (int i = axis + 1; i < x.size(); ++i) shape.push_back(x[i]);
  return {shape, in[0].dtype()};
}

}  // namespace tenure::infer
