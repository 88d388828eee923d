#pragma once

#include <string_view>

#include "core/op.h"

namespace tenure::gl {

/// An elementwise row of ops/ops.def as GLSL.
struct Expression {
  std::string_view text;    ///< of x, y and the attributes p
  std::string_view fields;  ///< members of the attributes' struct, each of type E
  int field_count;
};

/// Of an elementwise op; empty for any other.
const Expression& expression_of(Op op);

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
