#include "core/error.h"
#include "ops/infer.h"

namespace tenure::infer {
namespace {

/// Returns the shape of the products of each row of x with each row of y.
Shape infer_dot_products(const Shape& x, const Shape& y) {
  check_shape(x.rank >= 2 && x.rank == y.rank && x.back() == y.back(), "rows of ", x,
              " cannot be multiplied by rows of ", y);
  Shape out = x;
  out.back() = y.back(1);
  for (int i = 0; i + 2 < x.rank; ++i)
    check_shape(x[i] == y[i], "expected matrices of one batch, got ", x, " and ", y);
  return out;
}

}  // namespace

TensorSpec checked_arithmetic(Inputs in, const CheckedArithmeticAttrs& attrs) {
  const bool truncates = attrs.op == IntegerArithmetic::kTruncate;
  check(in[0].dtype() == (truncates ? DType::kFloat32 : DType::kInt32), "got x of ", get_name(in[0].dtype()));
  Shape out = in[0].shape();
  switch (attrs.op) {
    case IntegerArithmetic::kTruncate:
    case IntegerArithmetic::kUint32:
    case IntegerArithmetic::kUint64: break;
    case IntegerArithmetic::kSum:
    case IntegerArithmetic::kProduct:
    case IntegerArithmetic::kCumulativeSum:
    case IntegerArithmetic::kCumulativeProduct:
      check_shape(out.rank > 0, "a scalar has no last axis");
      if (attrs.op == IntegerArithmetic::kSum || attrs.op == IntegerArithmetic::kProduct)
        out.erase(out.rank - 1);
      break;
    default: {
      check(in.has(1), "there is no y");
      const Shape& y = in[1].shape();
      if (attrs.op == IntegerArithmetic::kDotProducts) {
        out = infer_dot_products(out, y);
        break;
      }
      if (attrs.op == IntegerArithmetic::kIndex) {
        check_shape(y.rank == 1 && (y[0] == 1 || (out.rank > 0 && out.back() == y[0])), "indices of shape ",
                    out, " do not fit extents of shape ", y);
        break;
      }
      const Shape x = out;
      out = broadcast(x, y);
      check_shape((in[0].elements() == 1 || x == out) && (in[1].elements() == 1 || y == out),
                  "expected one shape, or a single element, got ", x, " and ", y);
    }
  }
  return {out, DType::kInt32};
}

}  // namespace tenure::infer
