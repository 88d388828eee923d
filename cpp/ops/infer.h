#pragma once

#include "core/op.h"

/// Shape inference: checks the inputs and attributes of an op and gives the output's shape and type, or
/// throws. One function for each structural op and view, infer::conv2d(in, attrs) in ops/conv.cpp.
namespace tenure::infer {

#define STRUCTURAL(name, js, least, most, A) TensorSpec name(Inputs in, const A##Attrs& attrs);
#define VIEW(name, js, A) TensorSpec name(Inputs in, const A##Attrs& attrs);
#include "ops/ops.def"

}  // namespace tenure::infer

/// Ops written with other ops.
namespace tenure::composed {

#define COMPOSED(name, js, least, most, A) Tensors name(Inputs in, const A##Attrs& attrs);
#include "ops/ops.def"

}  // namespace tenure::composed
