#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/run/op.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

/// An elementwise row of lists/ops.def.
struct Expression {
  std::string_view text;    ///< in terms of x, y and the attributes p, as in the list
  std::string_view fields;  ///< members of the attributes' struct, all of type E
  int field_count;
};

/// Returns the expression of an elementwise op; an empty one for other ops.
const Expression& get_expression(Op op);

/// Returns the WGSL of an expression: a function of the list is called f_ where the list has f.
std::string to_wgsl(const Expression& expression);

/// WGSL of an op's attributes, which are the parameter q0 of a kernel for `k` = 0, and so on. Empty for an
/// expression without attributes.
struct AttributeSource {
  AttributeSource(const Expression& expression, std::size_t k);
  std::string declaration;  ///< before the function
  std::string statement;    ///< in the function: unpacks the parameter to p
};
/// Returns the value of the attributes' parameter.
std::array<float, 4> attribute_values(AttrsView attrs);

/// Runs an elementwise op of one input.
void run_unary(Op op, const KernelArgs& args);
/// Runs an elementwise op of two inputs, which may be broadcast.
void run_binary(Op op, const KernelArgs& args);

template <Op kOp>
void unary(const KernelArgs& args) {
  run_unary(kOp, args);
}
template <Op kOp>
void binary(const KernelArgs& args) {
  run_binary(kOp, args);
}

}  // namespace tenure::webgpu
