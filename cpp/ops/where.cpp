#include "ops/dtypes.h"
#include "ops/infer.h"

namespace tenure::infer {

TensorSpec where(Inputs in, const NoneAttrs&) {
  check(in[0].dtype() == DType::kBool, "Argument 'condition' passed to 'where' must be bool tensor, but got ",
        name_of(in[0].dtype()), " tensor");
  check_kernel_dtype(in[1].dtype());
  check_kernel_dtype(in[2].dtype());
  const Shape shape = broadcast(broadcast(in[0].shape(), in[1].shape()), in[2].shape());
  return {shape, upcast(in[1].dtype(), in[2].dtype())};
}

}  // namespace tenure::infer
