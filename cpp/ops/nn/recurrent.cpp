#include "core/error.h"
#include "ops/infer.h"
#include "ops/movement/slice.h"
#include "ops/ops.h"

namespace tenure::composed {

/// Returns the next c and h. The kernel's columns are those of the input, new input, forget and output gates.
Tensors basic_lstm_cell(const Tensor& forget_bias, const Tensor& kernel, const Tensor& bias,
                        const Tensor& data, const Tensor& c, const Tensor& h, const NoneAttrs&) {
  const Tensor gates = add(mat_mul(concat({data, h}, {.axis = 1}), kernel), bias);
  check_shape(gates.rank() == 2 && gates.dim(1) % 4 == 0, "expected a kernel of four gates, got shape ",
              kernel.shape());
  const std::int32_t units = gates.dim(1) / 4;
  const auto gate = [&](std::int32_t i) { return slice_axis(gates, 1, i * units, units); };
  const Tensor fresh = mul(sigmoid(gate(0)), tanh(gate(1)));
  const Tensor next = add(fresh, mul(c, sigmoid(add(forget_bias, gate(2)))));
  return {next, mul(tanh(next), sigmoid(gate(3)))};
}

/// Returns v + (1 - decay) (x - v). With `step` the update is divided by 1 - decay^step, which removes the
/// bias of a start at 0.
Tensor moving_average(const Tensor& v, const Tensor& x, const Tensor& decay, const Tensor& step,
                      const NoneAttrs&) {
  check(v.dtype() == x.dtype(), "The dtypes of the first(", get_name(v.dtype()), ") and second(",
        get_name(x.dtype()), ") input must match");
  check_shape(v.shape() == x.shape(), "Shape mismatch in v and x: shapes ", v.shape(), " and ", x.shape(),
              " must match");
  const Tensor one = Tensor::scalar(1.0F);
  const Tensor update = mul(sub(x, v), sub(one, decay));
  return add(v, step ? div(update, sub(one, pow(decay, step))) : update);
}

}  // namespace tenure::composed
