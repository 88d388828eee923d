#include "ops/dtypes.h"
#include "ops/infer.h"

namespace tenure::infer {

TensorSpec reverse(Inputs in, const AxesAttrs& attrs) {
  check_kernel_dtype(in[0].dtype());
  normalize_axes(attrs.axes, in[0].rank());
  return in[0].spec();
}

}  // namespace tenure::infer
