#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kKeepDims[] = {{"keep_dims", 0, Option::kByte}};

/// Reduces along a list of axes. An empty list reduces nothing, unlike in the engine's ops.
Tensor reduce(const Call& call, Op op) {
  const Tensor& x = call[0];
  ReduceAttrs attrs{.axes = call.dims(1), .keep_dims = call.attrs().integer("keep_dims", 0) != 0};
  if (attrs.axes.empty()) return x;
  return as_dtype(run(op, {&x}, AttrsView(attrs)), x.dtype());
}

template <Op op>
Tensor reduced(const Call& call) {
  return reduce(call, op);
}

template <Op op>
Tensor position(const Call& call) {
  return run(op, {&call[0]}, AttrsView(ArgReduceAttrs{normalize_axis(call.integer(1), call[0].rank())}));
}

constexpr OpRow kRows[] = {
    {40, {"MEAN", reduced<Op::mean>}, kKeepDims},
    {56, {"ARG_MAX", position<Op::arg_max>}, {}, Quantized::kSame},
    {74, {"SUM", reduced<Op::sum>}, kKeepDims},
    {79, {"ARG_MIN", position<Op::arg_min>}, {}, Quantized::kSame},
    {81, {"REDUCE_PROD", reduced<Op::prod>}, kKeepDims},
    {82, {"REDUCE_MAX", reduced<Op::max>}, kKeepDims, Quantized::kSame},
    {89, {"REDUCE_MIN", reduced<Op::min>}, kKeepDims, Quantized::kSame},
    {91, {"REDUCE_ANY", reduced<Op::any>}, kKeepDims},
    {140, {"REDUCE_ALL", reduced<Op::all>}, kKeepDims},
};

}  // namespace

std::span<const OpRow> reduction_rows() { return kRows; }

}  // namespace tenure::tflite
