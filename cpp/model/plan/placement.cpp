#include "model/plan/placement.h"

#include <algorithm>
#include <numeric>

#include "core/run/dispatch.h"
#include "core/run/op_traits.h"

namespace tenure {
namespace {

/// Rough estimate of the work that the CPU does in a microsecond. It only decides cases that are not close.
constexpr double kCpuWorkPerMicrosecond = 10'000;

double elements_of(const Graph& graph, ValueId id) {
  return static_cast<double>(graph.spec(id).shape.elements());
}

/// Returns the number of products summed into one element of the output; 0 for ops that do not sum products.
double products_per_output(const Graph& graph, const Node& node) {
  const auto extent = [&](std::size_t input, int from_end) -> double {
    const Shape& shape = graph.spec(node.inputs[input]).shape;
    return shape[shape.rank - from_end];
  };
  switch (op_traits(node.op).products) {
    case ProductCount::kNone: return 0;
    case ProductCount::kInnerDimension: return extent(0, node.attrs_as<MatMulAttrs>().transpose_a ? 2 : 1);
    case ProductCount::kFilterHwio: return extent(1, 4) * extent(1, 3) * extent(1, 2);
    case ProductCount::kFilterHwoi: return extent(1, 4) * extent(1, 3) * extent(1, 1);
    case ProductCount::kLastDimension: return extent(0, 1);
    case ProductCount::kFilterHw: return extent(1, 4) * extent(1, 3);
    case ProductCount::kPoolWindow: {
      const auto attrs = node.attrs_as<PoolAttrs>();
      return static_cast<double>(attrs.window_h) * attrs.window_w;
    }
  }
  return 0;
}

}  // namespace

double estimate_work(const Graph& graph, const Node& node) {
  if (node.loop) return node.loop->steps * estimate_work(node.loop->body);
  const double outputs = elements_of(graph, node.output);
  const double products = products_per_output(graph, node);
  if (products > 0) return outputs * products;
  return std::accumulate(node.inputs.begin(), node.inputs.end(), outputs, [&](double sum, ValueId id) {
    return graph.is_constant(id) ? sum : sum + elements_of(graph, id);
  });
}

double estimate_work(const Graph& graph) {
  return std::accumulate(graph.nodes.begin(), graph.nodes.end(), 0.0,
                         [&](double sum, const Node& node) { return sum + estimate_work(graph, node); });
}

double estimate_cpu_microseconds(const Graph& graph) { return estimate_work(graph) / kCpuWorkPerMicrosecond; }

bool sums_over_filters(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
    const ProductCount products = op_traits(node.op).products;
    return products != ProductCount::kNone && products != ProductCount::kInnerDimension;
  });
}

const Backend& choose_backend(const Graph& graph) {
  const Backend& chosen = usable_backend();
  if (!chosen.is_device() || min_elements_for_device() == 0) return chosen;
  const DeviceCosts& costs = chosen.device->costs();
  const double on_device = costs.round_trip + costs.launch * static_cast<double>(graph.nodes.size());
  return estimate_cpu_microseconds(graph) > on_device ? chosen : cpu_backend();
}

}  // namespace tenure
