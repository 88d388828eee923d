#include "core/error.h"
#include "ops/autodiff/gradient.h"
#include "ops/infer.h"
#include "ops/movement/slice.h"
#include "ops/ops.h"

namespace tenure::infer {

TensorSpec fft(Inputs in, const NoneAttrs&) {
  check_shape(in[0].rank() > 0, "expected a rank of 1 or more, got a scalar");
  return in[0].spec();
}

TensorSpec ifft(Inputs in, const NoneAttrs& attrs) { return infer::fft(in, attrs); }

}  // namespace tenure::infer

namespace tenure::grad {

// The DFT matrix is symmetric, so its adjoint is its conjugate: the opposite transform, scaled.
Tensors fft(const GradientArgs& args, const NoneAttrs&) {
  return {mul(ifft(args.g), Tensor::scalar(static_cast<float>(args.g.shape().back())))};
}

Tensors ifft(const GradientArgs& args, const NoneAttrs&) {
  return {div(fft(args.g), Tensor::scalar(static_cast<float>(args.g.shape().back())))};
}

}  // namespace tenure::grad

namespace tenure::composed {

Tensor rfft(const Tensor& input, const LengthAttrs& attrs) {
  check_shape(input.rank() > 0, "expected a rank of 1 or more, got a scalar");
  const int last = input.rank() - 1;
  const std::int32_t given = input.dim(last);
  const std::int32_t length = attrs.length == -1 ? given : attrs.length;
  check_shape(length > 0, "expected an fftLength of 1 or more, got ", length);
  Tensor x = input;
  if (length < given) x = slice_axis(x, last, 0, length);
  if (length > given) {
    PadAttrs pads;
    for (int i = 0; i <= last; ++i) {
      pads.before.push_back(0);
      pads.after.push_back(i == last ? length - given : 0);
    }
    x = tenure::pad(x, pads);
  }
  // The remaining values are the conjugates of these.
  return slice_axis(tenure::fft(tenure::cast(x, {DType::kComplex64})), last, 0, length / 2 + 1);
}

// As in TensorFlow.js, the result has rank 3 if the input has rank 3, and is a matrix otherwise.
Tensor irfft(const Tensor& input, const NoneAttrs&) {
  check_shape(input.rank() > 0 && input.shape().back() > 0, "expected values along the last axis, got shape ",
              input.shape());
  const std::int32_t given = input.shape().back();
  const auto batch = static_cast<std::int32_t>(input.elements() / static_cast<std::size_t>(given));
  Tensor x = tenure::reshape(input, {Shape{batch, given}});
  if (given > 2) {
    const Tensor inner = tenure::reverse(slice_axis(x, 1, 1, given - 2), {{1}});
    x = tenure::concat({x, tenure::conj(inner)}, {1});
  }
  Tensor result = tenure::real(tenure::ifft(x));
  if (input.rank() != 3) return result;
  return tenure::reshape(result, {Shape{input.dim(0), input.dim(1), result.dim(1)}});
}

}  // namespace tenure::composed
