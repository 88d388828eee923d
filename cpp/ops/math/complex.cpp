#include "core/error.h"
#include "ops/autodiff/gradient.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {

TensorSpec complex(Inputs in, const NoneAttrs&) {
  check_shape(in[0].shape() == in[1].shape(), "real and imag shapes, ", in[0].shape(), " and ", in[1].shape(),
              ", must match in call to tf.complex().");
  return {in[0].shape(), DType::kComplex64};
}

TensorSpec real(Inputs in, const NoneAttrs&) {
  const DType dtype = in[0].dtype();
  return {in[0].shape(), dtype == DType::kComplex64 ? DType::kFloat32 : dtype};
}

TensorSpec imag(Inputs in, const NoneAttrs& attrs) { return infer::real(in, attrs); }

TensorSpec complex_abs(Inputs in, const NoneAttrs&) { return {in[0].shape(), DType::kFloat32}; }

}  // namespace tenure::infer

namespace tenure::composed {

Tensor conj(const Tensor& input, const NoneAttrs&) {
  if (input.dtype() != DType::kComplex64) return input;
  return tenure::complex(tenure::real(input), tenure::neg(tenure::imag(input)));
}

}  // namespace tenure::composed

// The gradient of a complex number z holds the gradients of its parts. For a real result y it is dy/d(re z) +
// i dy/d(im z).
namespace tenure::grad {

Tensors complex(const GradientArgs& args, const NoneAttrs&) {
  return {args.needs_grad(0) ? real(args.g) : Tensor(), args.needs_grad(1) ? imag(args.g) : Tensor()};
}

Tensors real(const GradientArgs& args, const NoneAttrs&) {
  return {args.in[0].dtype() == DType::kComplex64 ? cast(args.g, {DType::kComplex64}) : args.g};
}

Tensors imag(const GradientArgs& args, const NoneAttrs&) {
  if (args.in[0].dtype() != DType::kComplex64) return {};
  return {complex(fill({.shape = args.g.shape()}), args.g)};
}

Tensors complex_abs(const GradientArgs& args, const NoneAttrs&) {
  const Tensor& z = args.in[0];
  return {complex(div_no_nan(mul(args.g, real(z)), args.out), div_no_nan(mul(args.g, imag(z)), args.out))};
}

}  // namespace tenure::grad

namespace tenure::complex_form {
namespace {

/// Real and imaginary part, as float32, of a tensor of any numeric dtype.
struct Parts {
  explicit Parts(const Tensor& x)
      : re(cast(tenure::real(x), {DType::kFloat32})), im(cast(tenure::imag(x), {DType::kFloat32})) {}
  Tensor re;
  Tensor im;
};

}  // namespace

Tensor by_parts(Op op, Inputs in, AttrsView attrs) {
  const bool takes_both = op_def(op).kind == OpKind::kBinary;
  Tensors re;
  Tensors im;
  for (int i = 0; i < in.size(); ++i) {
    const bool has_parts = takes_both || in[i].dtype() == DType::kComplex64;
    re.push_back(has_parts ? Parts(in[i]).re : in[i]);
    im.push_back(has_parts ? Parts(in[i]).im : in[i]);
  }
  return complex(run(op, TensorList(re), attrs), run(op, TensorList(im), attrs));
}

Tensor product(Op, Inputs in, AttrsView) {
  const Parts a(in[0]);
  const Parts b(in[1]);
  return complex(sub(mul(a.re, b.re), mul(a.im, b.im)), add(mul(a.re, b.im), mul(a.im, b.re)));
}

// Scaled by the larger part of the divisor, whose square may not be representable.
Tensor quotient(Op, Inputs in, AttrsView) {
  const Parts a(in[0]);
  const Parts b(in[1]);
  const Tensor scale = maximum(abs(b.re), abs(b.im));
  const Tensor re = div(b.re, scale);
  const Tensor im = div(b.im, scale);
  const Tensor norm = mul(scale, add(square(re), square(im)));
  return complex(div(add(mul(a.re, re), mul(a.im, im)), norm), div(sub(mul(a.im, re), mul(a.re, im)), norm));
}

Tensor modulus(Op, Inputs in, AttrsView) { return complex_abs(in[0]); }

}  // namespace tenure::complex_form
