#include "model/plan/placement.h"

#include <algorithm>
#include <numeric>

#include "core/run/dispatch.h"
#include "core/run/op_traits.h"

namespace tenure {
namespace {

/// Rough estimate of the work that the CPU does in a microsecond. It only decides cases that are not close.
constexpr double kCpuWorkPerMicrosecond = 10'000;

double count_elements(const Graph& graph, ValueId id) {
  return static_cast<double>(graph.spec(id).shape.elements());
}

/// Returns the number of products summed into one element of the output; 0 for ops that do not sum products.
double products_per_output(const Graph& graph, const GraphNode& node) {
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

/// True if a constant of the graph, or of a loop's body, must stay on the backend's device.
bool has_constant_on_device(const Graph& graph, const Backend& backend) {
  return std::any_of(graph.values.begin(), graph.values.end(),
                     [&](const Value& value) { return must_stay_on_device(value.constant, backend); }) ||
         std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const GraphNode& node) {
           return node.loop && has_constant_on_device(node.loop->body, backend);
         });
}

/// Returns the number of kernels that a run launches.
double count_launches(const Graph& graph) {
  return std::accumulate(graph.nodes.begin(), graph.nodes.end(), 0.0, [](double sum, const GraphNode& node) {
    return sum + (node.loop ? node.loop->steps * count_launches(node.loop->body) : 1);
  });
}

}  // namespace

double estimate_work(const Graph& graph, const GraphNode& node) {
  if (node.loop) return node.loop->steps * estimate_work(node.loop->body);
  const double outputs = count_elements(graph, node.output);
  const double products = products_per_output(graph, node);
  if (products > 0) return outputs * products;
  return std::accumulate(node.inputs.begin(), node.inputs.end(), outputs, [&](double sum, ValueId id) {
    return graph.is_constant(id) ? sum : sum + count_elements(graph, id);
  });
}

double estimate_work(const Graph& graph) {
  return std::accumulate(graph.nodes.begin(), graph.nodes.end(), 0.0,
                         [&](double sum, const GraphNode& node) { return sum + estimate_work(graph, node); });
}

double estimate_cpu_microseconds(const Graph& graph) { return estimate_work(graph) / kCpuWorkPerMicrosecond; }

bool sums_over_filters(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const GraphNode& node) {
    const ProductCount products = op_traits(node.op).products;
    return products != ProductCount::kNone && products != ProductCount::kInnerDimension &&
           products != ProductCount::kLastDimension;
  });
}

const Backend& choose_backend(const Graph& graph) {
  const Backend& chosen = usable_backend();
  if (!chosen.is_device() || min_elements_for_device() == 0) return chosen;
  if (has_constant_on_device(graph, chosen)) return chosen;
  const DeviceCosts& costs = chosen.device->costs();
  const double on_device = costs.round_trip + costs.launch * count_launches(graph);
  return estimate_cpu_microseconds(graph) > on_device ? chosen : cpu_backend();
}

}  // namespace tenure
