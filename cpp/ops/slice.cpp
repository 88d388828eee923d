#include "geometry/slice.h"
#include "ops/dtypes.h"
#include "ops/infer.h"

namespace tenure::infer {

TensorSpec slice(Inputs in, const SliceAttrs& attrs) {
  check_kernel_dtype(in[0].dtype());
  return {slicing_of(in[0].shape(), attrs).shape, in[0].dtype()};
}

TensorSpec strided_slice(Inputs in, const StridedSliceAttrs& attrs) {
  check_kernel_dtype(in[0].dtype());
  return {slicing_of(in[0].shape(), attrs).shape, in[0].dtype()};
}

}  // namespace tenure::infer
