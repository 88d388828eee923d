#include "ops/dtypes.h"
#include "ops/infer.h"

namespace tenure::infer {

TensorSpec cast(Inputs in, const CastAttrs& attrs) {
  check_kernel_dtype(in[0].dtype());
  check_kernel_dtype(attrs.dtype);
  return {in[0].shape(), attrs.dtype};
}

}  // namespace tenure::infer
