#pragma once

#include "core/for_each.h"
#include "core/run/op.h"

/// Shape inference: checks what the row of an op does not say of its inputs and attributes, and gives the
/// output's shape and type, or throws. One function for each structural op and view, infer::conv2d(in, attrs)
/// in ops/nn/conv.cpp.
namespace tenure::infer {

#define STRUCTURAL(name, js, inputs, A, ...) TensorSpec name(Inputs in, const A##Attrs& attrs);
#define VIEW(name, js, A) TensorSpec name(Inputs in, const A##Attrs& attrs);
#include "lists/ops.def"

}  // namespace tenure::infer

/// Ops written with other ops.
namespace tenure::composed {

#define TAKEN_IN(name, types) const Tensor &name,
#define TAKEN_OPT(name, types) const Tensor &name,
#define TAKEN_LIST(name, types) Inputs name,
#define COMPOSED(name, js, inputs, A, result) result name(FOR_EACH(TAKEN_, inputs) const A##Attrs& attrs);
#include "lists/ops.def"
#undef TAKEN_IN
#undef TAKEN_OPT
#undef TAKEN_LIST

}  // namespace tenure::composed

/// What elementwise and other ops make of complex numbers.
namespace tenure::complex_form {

/// Of an op that is linear in its complex inputs: the op of the real parts, and of the imaginary ones.
Tensor by_parts(Op op, Inputs in, AttrsView attrs);
Tensor product(Op op, Inputs in, AttrsView attrs);
Tensor quotient(Op op, Inputs in, AttrsView attrs);
Tensor modulus(Op op, Inputs in, AttrsView attrs);

}  // namespace tenure::complex_form

namespace tenure {

/// What comparisons make of strings: their bytes decide, which for UTF-8 is the order of characters.
Tensor compare_strings(Op op, Inputs in, AttrsView attrs);

}  // namespace tenure

/// Ops on the CPU whose number of outputs, or whose shapes, depend on values.
namespace tenure::host {

#define HOST(name, js, inputs, A) Tensors name(Inputs in, const A##Attrs& attrs);
#include "lists/ops.def"

}  // namespace tenure::host
