#pragma once

#include "core/run/op.h"

namespace tenure {

/// Returns the op that computes what Op::checked_arithmetic does, without a check: kernels on a GPU cannot
/// throw.
inline Op get_unchecked_op(AttrsView attrs) {
  switch (attrs.as<CheckedArithmeticAttrs>().op) {
    case IntegerArithmetic::kAdd: return Op::add;
    case IntegerArithmetic::kSubtract: return Op::sub;
    case IntegerArithmetic::kMultiply: return Op::mul;
    case IntegerArithmetic::kDivide: return Op::floor_div;
    case IntegerArithmetic::kPower: return Op::pow;
    case IntegerArithmetic::kSum: return Op::sum;
    case IntegerArithmetic::kProduct: return Op::prod;
    case IntegerArithmetic::kCumulativeSum: return Op::cumsum;
    case IntegerArithmetic::kCumulativeProduct: return Op::cumprod;
    case IntegerArithmetic::kDotProducts: return Op::mat_mul;
    case IntegerArithmetic::kTruncate: break;
  }
  return Op::cast;
}

/// Calls `run(op, args)` with that op and with its attributes.
template <class Run>
void run_unchecked(const KernelArgs& args, const Run& run) {
  const Op op = get_unchecked_op(args.attrs);
  const int last = args.in[0].rank() - 1;
  const auto run_with = [&](const auto& attrs) { run(op, {args.in, AttrsView(attrs), args.out}); };
  switch (op) {
    case Op::sum:
    case Op::prod: return run_with(ReduceAttrs{.axes = {last}});
    case Op::cumsum:
    case Op::cumprod: return run_with(CumulateAttrs{.axis = last});
    case Op::mat_mul: return run_with(MatMulAttrs{.transpose_b = true});
    case Op::cast: return run_with(CastAttrs{.dtype = DType::kInt32});
    default: return run_with(NoneAttrs());
  }
}

}  // namespace tenure
