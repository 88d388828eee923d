#pragma once

#include <concepts>

#include "core/for_each.h"
#include "core/run/dispatch.h"

/// The ops as C++ functions, one for each row of lists/ops.def. Calls nest: relu(conv2d(x, filter, bias,
/// {.stride_h = 2})). Optional inputs may be left out together, or be passed as {}. Shapes, dtypes and errors
/// are those of TensorFlow.js's op of the same name.
namespace tenure {

#define PARAMETER_IN(name, types) const Tensor &name,
#define PARAMETER_OPT(name, types) const Tensor &name,
#define PARAMETER_LIST(name, types) const TensorList &name,
#define REQUIRED_IN(name, types) const Tensor &name,
#define REQUIRED_OPT(name, types)
#define REQUIRED_LIST(name, types) const TensorList &name,
#define GIVEN_IN(name, types) &name,
#define GIVEN_OPT(name, types) &name,
#define GIVEN_LIST(name, types) name
#define PART_IN(name, types) TensorList(std::span(&name, 1)),
#define PART_OPT(name, types) PART_IN(name, types)
#define PART_LIST(name, types) name
#define PART_REQUIRED_IN(name, types) PART_IN(name, types)
#define PART_REQUIRED_OPT(name, types)
#define PART_REQUIRED_LIST(name, types) name
#define GIVEN_REQUIRED_IN(name, types) &name,
#define GIVEN_REQUIRED_OPT(name, types)
#define GIVEN_REQUIRED_LIST(name, types) name
#define OPTIONAL_IN(name, types)
#define OPTIONAL_OPT(name, types) +1
#define OPTIONAL_LIST(name, types)
#define RUN_Tensor run
#define RUN_Tensors run_all

#define UNARY(name, js, rule, A, ...)                               \
  inline Tensor name(const Tensor& x, const A##Attrs& attrs = {}) { \
    return run(Op::name, {&x}, AttrsView(attrs));                   \
  }
#define BINARY(name, js, a, b, ...) \
  inline Tensor name(const Tensor& a, const Tensor& b) { return run(Op::name, {&a, &b}); }
#define VIEW(name, js, A)                                           \
  inline Tensor name(const Tensor& x, const A##Attrs& attrs = {}) { \
    return run(Op::name, {&x}, AttrsView(attrs));                   \
  }
#define FUNCTION(name, inputs, A, result, List, given)                                          \
  inline result name(FOR_EACH(PARAMETER_, inputs) const A##Attrs& attrs = {}) {                 \
    return RUN_##result(Op::name, List{FOR_EACH(given##_, inputs)}, AttrsView(attrs));          \
  }                                                                                             \
  template <std::same_as<A##Attrs> Attrs = A##Attrs>                                            \
    requires((0 FOR_EACH(OPTIONAL_, inputs)) > 0)                                               \
  inline result name(FOR_EACH(REQUIRED_, inputs) const Attrs& attrs = {}) {                     \
    return RUN_##result(Op::name, List{FOR_EACH(given##_REQUIRED_, inputs)}, AttrsView(attrs)); \
  }
#define STRUCTURAL(name, js, inputs, A, ...) FUNCTION(name, inputs, A, Tensor, Inputs, GIVEN)
#define COMPOSED(name, js, inputs, A, result) FUNCTION(name, inputs, A, result, Inputs, GIVEN)
#define HOST(name, js, inputs, A) FUNCTION(name, inputs, A, Tensors, JoinedLists, PART)
#include "lists/ops.def"

#undef PARAMETER_IN
#undef PARAMETER_OPT
#undef PARAMETER_LIST
#undef REQUIRED_IN
#undef REQUIRED_OPT
#undef REQUIRED_LIST
#undef GIVEN_IN
#undef GIVEN_OPT
#undef GIVEN_LIST
#undef PART_IN
#undef PART_OPT
#undef PART_LIST
#undef PART_REQUIRED_IN
#undef PART_REQUIRED_OPT
#undef PART_REQUIRED_LIST
#undef GIVEN_REQUIRED_IN
#undef GIVEN_REQUIRED_OPT
#undef GIVEN_REQUIRED_LIST
#undef OPTIONAL_IN
#undef OPTIONAL_OPT
#undef OPTIONAL_LIST
#undef RUN_Tensor
#undef RUN_Tensors
#undef FUNCTION

}  // namespace tenure
