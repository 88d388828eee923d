#include "core/error.h"
#include "ops/infer.h"

namespace tenure::infer {

TensorSpec checked_arithmetic(Inputs in, const CheckedArithmeticAttrs&) {
  const Shape& x = in[0].shape();
  const Shape& y = in[1].shape();
  const Shape out = broadcast(x, y);
  check_shape((in[0].elements() == 1 || x == out) && (in[1].elements() == 1 || y == out),
              "expected one shape, or a single element, got ", x, " and ", y);
  return {out, DType::kInt32};
}

}  // namespace tenure::infer
