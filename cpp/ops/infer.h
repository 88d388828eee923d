#pragma once

#include "core/for_each.h"
#include "core/run/op.h"

/// Shape inference: one function for each structural op and view, such as infer::conv2d(in, attrs) in
/// ops/nn/conv.cpp. Checks what the op's row does not say about inputs and attributes. Returns the output's
/// shape and dtype, or throws.
namespace tenure::infer {

#define STRUCTURAL(name, js, inputs, A, ...) TensorSpec name(Inputs in, const A##Attrs& attrs);
#define VIEW(name, js, A) TensorSpec name(Inputs in, const A##Attrs& attrs);
#define OTHER_ROWS(...)
#include "lists/ops.def"

}  // namespace tenure::infer

/// Ops composed of other ops.
namespace tenure::composed {

#define TAKEN_IN(name, types) const Tensor &name,
#define TAKEN_OPT(name, types) const Tensor &name,
#define TAKEN_LIST(name, types) Inputs name,
#define COMPOSED(name, js, inputs, A, result) result name(FOR_EACH(TAKEN_, inputs) const A##Attrs& attrs);
#define OTHER_ROWS(...)
#include "lists/ops.def"
#undef TAKEN_IN
#undef TAKEN_OPT
#undef TAKEN_LIST

}  // namespace tenure::composed

/// Implementations of ops for complex inputs, composed of other ops.
namespace tenure::complex_form {

/// Runs an op that is linear in its complex inputs once on the real and once on the imaginary parts.
Tensor by_parts(Op op, Inputs in, AttrsView attrs);
/// Returns the product of two tensors, of which one at least is complex.
Tensor product(Op op, Inputs in, AttrsView attrs);
/// Returns the quotient of two tensors, of which one at least is complex.
Tensor quotient(Op op, Inputs in, AttrsView attrs);
/// Returns the absolute value of a complex tensor as float32.
Tensor modulus(Op op, Inputs in, AttrsView attrs);

}  // namespace tenure::complex_form

namespace tenure {

/// Compares strings by their bytes, which for UTF-8 is the order of code points. Returns a bool tensor.
Tensor compare_strings(Op op, Inputs in, AttrsView attrs);

}  // namespace tenure

/// Ops that run on the CPU, with several outputs or with shapes that depend on values.
namespace tenure::host {

#define HOST(name, js, inputs, A) Tensors name(Inputs in, const A##Attrs& attrs);
#define OTHER_ROWS(...)
#include "lists/ops.def"

}  // namespace tenure::host
