#include "core/error.h"
#include "ops/infer.h"

namespace tenure::infer {
namespace {

TensorSpec over_last_axis(const Tensor& x, const char* op) {
  check(x.dtype() == DType::kFloat32, "Argument 'logits' passed to '", op,
        "' must be float32 tensor, but got ", name_of(x.dtype()), " tensor");
  check_shape(x.rank() > 0, "expected logits of rank 1 or higher, got a scalar");
  return x.spec();
}

}  // namespace

TensorSpec softmax(Inputs in, const NoneAttrs&) { return over_last_axis(in[0], "softmax"); }
TensorSpec log_softmax(Inputs in, const NoneAttrs&) { return over_last_axis(in[0], "logSoftmax"); }

}  // namespace tenure::infer
