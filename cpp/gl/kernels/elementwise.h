#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/run/op.h"

namespace tenure::gl {

/// An elementwise row of lists/ops.def as GLSL.
struct Expression {
  std::string_view text;    ///< of x, y and the attributes p
  std::string_view fields;  ///< members of the attributes' struct, each of type E
  int field_count;
};

/// Of an elementwise op; empty for any other.
const Expression& expression_of(Op op);

/// GLSL of the attributes that stand in uniform number `k` of a shader, V q0 for 0 and so on; empty for an
/// expression without.
struct AttributeSource {
  AttributeSource(const Expression& expression, std::size_t k);
  std::string declarations;  ///< before the function
  std::string statement;     ///< in it: makes them the expression's p
};
/// What that uniform holds.
std::array<float, 4> attribute_values(AttrsView attrs);

void run_unary(Op op, const KernelArgs& args);
void run_binary(Op op, const KernelArgs& args);

template <Op kOp>
void unary(const KernelArgs& args) {
  run_unary(kOp, args);
}
template <Op kOp>
void binary(const KernelArgs& args) {
  run_binary(kOp, args);
}

}  // namespace tenure::gl
