#pragma once

#include "core/run/op.h"

namespace tenure {

/// Returns the elementwise op that computes what Op::checked_arithmetic does, without a check: kernels on a
/// GPU cannot throw.
inline Op get_unchecked_op(AttrsView attrs) {
  switch (attrs.as<CheckedArithmeticAttrs>().op) {
    case IntegerArithmetic::kAdd: return Op::add;
    case IntegerArithmetic::kSubtract: return Op::sub;
    case IntegerArithmetic::kMultiply: break;
  }
  return Op::mul;
}

}  // namespace tenure
