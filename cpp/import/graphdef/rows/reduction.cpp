#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

/// Reduces along a list of axes. An empty list reduces nothing, unlike in the engine's ops, which reduce all
/// axes.
template <Op op>
Tensor reduced(const Call& call) {
  const Dims axes = call.dims(1);
  const Tensor& x = call[0];
  if (axes.empty()) return x;
  return run(op, {&x}, AttrsView(ReduceAttrs{.axes = axes, .keep_dims = call.attrs().flag("keep_dims")}));
}

template <Op op>
Tensor arg_reduced(const Call& call) {
  const Tensor& x = call[0];
  return run(op, {&x}, AttrsView(ArgReduceAttrs{call.size() > 1 ? call.integer(1) : 0}));
}

template <Op op>
Tensor cumulated(const Call& call) {
  const Tensor& x = call[0];
  return run(op, {&x},
             AttrsView(CumulateAttrs{call.integer(1), call.attrs().flag("exclusive"),
                                     call.attrs().flag("reverse")}));
}

Tensor count_bins(const Call& call) {
  return bincount(call[0], call[2], {.size = call.integer(1), .binary = call.attrs().flag("binary_output")});
}

constexpr Row kRows[] = {
    {"Cumsum", cumulated<Op::cumsum>},
    {"Cumprod", cumulated<Op::cumprod>},
    {"Bincount", count_bins},
    {"DenseBincount", count_bins},
    {"Mean", reduced<Op::mean>},
    {"Sum", reduced<Op::sum>},
    {"Max", reduced<Op::max>},
    {"Min", reduced<Op::min>},
    {"Prod", reduced<Op::prod>},
    {"All", reduced<Op::all>},
    {"Any", reduced<Op::any>},
    {"ArgMax", arg_reduced<Op::arg_max>},
    {"ArgMin", arg_reduced<Op::arg_min>},
};

}  // namespace

std::span<const Row> reduction_rows() { return kRows; }

}  // namespace tenure::graphdef
