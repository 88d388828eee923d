#include "core/error.h"
#include "ops/infer.h"

namespace tenure::infer {

TensorSpec bitwise_and(Inputs in, const NoneAttrs&) {
  check_shape(in[0].shape() == in[1].shape(),
              "BitwiseAnd: Tensors must have the same shape. x: ", in[0].shape(), ", y: ", in[1].shape());
  return in[0].spec();
}

}  // namespace tenure::infer
