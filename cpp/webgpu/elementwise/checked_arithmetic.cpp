#include "core/checked_integers.h"
#include "core/run/dispatch.h"
#include "core/text.h"
#include "webgpu/backend.h"
#include "webgpu/elementwise/checked_dots.wgsl.h"
#include "webgpu/elementwise/checked_integers.wgsl.h"
#include "webgpu/elementwise/checked_rows.wgsl.h"
#include "webgpu/kernels.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {
namespace {

/// Functions that kernels of checked integers call with each result: the first stores it, the second reports
/// one beyond int32.
constexpr std::string_view kStore = "fn store(i:i32,result:Checked){out[i]=result.value;}";
constexpr std::string_view kReport =
    "fn store(i:i32,result:Checked){if(result.is_beyond&&atomicLoad(&out[0])==0)"
    "{atomicStore(&out[0],params.error);}}";

/// The function of checked_integers.wgsl that computes an elementwise op, empty for other ops, and the name
/// of a result in errors.
struct CheckedOp {
  std::string_view function;
  std::string_view result;
};

CheckedOp get_checked_op(IntegerArithmetic op) {
  switch (op) {
    case IntegerArithmetic::kAdd: return {"add_checked", "a sum"};
    case IntegerArithmetic::kSubtract: return {"subtract_checked", "a difference"};
    case IntegerArithmetic::kMultiply: return {"multiply_checked", "a product"};
    case IntegerArithmetic::kDivide: return {"divide_checked", "a quotient"};
    case IntegerArithmetic::kPower: return {"raise_checked", "a power"};
    case IntegerArithmetic::kSum: return {"", "a sum of elements"};
    case IntegerArithmetic::kProduct: return {"", "a product of elements"};
    case IntegerArithmetic::kCumulativeSum: return {"", "a cumulative sum"};
    case IntegerArithmetic::kCumulativeProduct: return {"", "a cumulative product"};
    case IntegerArithmetic::kDotProducts: return {"", "a sum of products"};
    case IntegerArithmetic::kTruncate: return {"truncate_checked", "a float"};
    case IntegerArithmetic::kUint32:
    case IntegerArithmetic::kUint64: return {"unsigned_checked", "an unsigned integer"};
    case IntegerArithmetic::kIndex: return {"index_checked", "an index"};
  }
  return {};
}

bool is_only_here(const Inputs& in, int i) { return in.has(i) && in[i].storage()->only_on(device()); }

void dispatch_rows(Dispatch& dispatch, IntegerArithmetic op, const KernelArgs& args) {
  const bool is_scan = op == IntegerArithmetic::kCumulativeSum || op == IntegerArithmetic::kCumulativeProduct;
  const bool is_product = op == IntegerArithmetic::kProduct || op == IntegerArithmetic::kCumulativeProduct;
  const std::int32_t extent = args.in[0].shape().back();
  const std::size_t rows =
      is_scan ? args.out.elements() / static_cast<std::size_t>(extent) : args.out.elements();
  dispatch.constant("SCAN", is_scan)
      .constant("PRODUCT", is_product)
      .set("rows", static_cast<int>(rows))
      .set("extent", extent)
      .workgroups(args.out, fold_workgroups(rows), {wgsl::kCheckedIntegers, wgsl::kCheckedRows});
}

/// Computes the results or, with a message, reports those beyond int32 with it.
void run_checked(IntegerArithmetic op, const KernelArgs& args, const std::string* message) {
  const auto [function, result] = get_checked_op(op);
  Dispatch dispatch(text("checked ", result));
  if (message) dispatch.into_error_flag(*message);
  dispatch.declare(message ? kReport : kStore).input("x", args.in[0]);
  if (!args.in.has(1)) {
    if (function.empty()) return dispatch_rows(dispatch, op, args);
    return dispatch.elements(args.out,
                             {wgsl::kCheckedIntegers, "fn run(i:i32){store(i,", function, "(x[i]));}"});
  }
  dispatch.input("y", args.in[1]);
  if (!function.empty()) {
    dispatch.set("count_x", static_cast<int>(args.in[0].elements()))
        .set("count_y", static_cast<int>(args.in[1].elements()))
        .elements(args.out, {wgsl::kCheckedIntegers, "fn run(i:i32){store(i,", function,
                             "(x[i%params.count_x],y[i%params.count_y]));}"});
    return;
  }
  dispatch.set("rows", args.out.shape().back(1))
      .set("columns", args.out.shape().back())
      .set("depth", args.in[0].shape().back())
      .elements(args.out, {wgsl::kCheckedIntegers, wgsl::kCheckedDots});
}

/// Returns the message of an error.
std::string describe(const KernelArgs& args) {
  const auto [op, axis] = args.attrs.as<CheckedArithmeticAttrs>();
  const std::string_view result = get_checked_op(op).result;
  constexpr std::string_view kWhen = " that the GPU computed before this read";
  std::string message = op != IntegerArithmetic::kIndex ? text(kCannotHold, result, kWhen)
                        : args.in[1].storage()->on_cpu()
                            ? text(result, kWhen, " is out of bounds: from axis ", axis, " on, extents are ",
                                   Dims(args.in[1].values<std::int32_t>()))
                            : text(result, kWhen, " is out of bounds");
  if (const std::string_view node = current_node(); !node.empty())
    message += text(" (in the node \"", node, "\")");
  return message;
}

}  // namespace

// Results are computed twice, as a kernel has one output: once to be stored, and once to be reported.
void checked_arithmetic(const KernelArgs& args) {
  // On the CPU an error is thrown where it occurs, and it has the numbers.
  if (!context().prelinking() && !is_only_here(args.in, 0) && !is_only_here(args.in, 1))
    return fall_back_to_cpu(Op::checked_arithmetic, args);
  const IntegerArithmetic op = args.attrs.as<CheckedArithmeticAttrs>().op;
  const std::string message = describe(args);
  run_checked(op, args, nullptr);
  run_checked(op, args, &message);
}

}  // namespace tenure::webgpu
