#include "model/passes/chains.h"

#include <algorithm>

#include "core/heap_sort.h"
#include "core/run/backend.h"
#include "core/run/op_traits.h"

namespace tenure {
namespace {

bool is_elementwise(const Graph& graph, const GraphNode& node) {
  const Shape& out = graph.spec(node.output).shape;
  return is_elementwise(op_def(node.op).kind) && graph.spec(node.output).dtype == DType::kFloat32 &&
         std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
           const TensorSpec& spec = graph.spec(id);
           return spec.dtype == DType::kFloat32 && is_suffix_broadcast(spec.shape, out);
         });
}

class Finder {
 public:
  Finder(const Graph& graph, bool allow_producers)
      : graph_(graph), uses_(graph), allow_producers_(allow_producers), taken_(graph.nodes.size(), false) {}

  std::vector<NodeChain> find() {
    std::vector<NodeChain> chains;
    for (std::size_t last = graph_.nodes.size(); last-- > 0;) {
      if (taken_[last] || !is_elementwise(graph_, graph_.nodes[last])) continue;
      NodeChain chain{{last}, {}};
      while (grow(chain)) {
      }
      if (allow_producers_) find_producer(chain);
      if (chain.nodes.size() < 2 && !chain.producer) continue;
      for (const std::size_t node : chain.nodes) taken_[node] = true;
      heap_sort(chain.nodes);
      chains.push_back(std::move(chain));
    }
    return chains;
  }

 private:
  /// Adds a node whose result only the chain reads. Returns false if there is none, or if the chain is full.
  bool grow(NodeChain& chain) {
    chain.inputs = collect_inputs(chain.nodes);
    if (chain.nodes.size() == kMaxChainOps) return false;
    const TensorSpec& result = graph_.spec(graph_.nodes[chain.nodes[0]].output);
    for (const ValueId id : chain.inputs) {
      const std::int32_t producer = uses_.producer[id];
      if (producer == Uses::kNone) continue;
      const auto node = static_cast<std::size_t>(producer);
      if (taken_[node] || !is_elementwise(graph_, graph_.nodes[node])) continue;
      if (graph_.spec(id).shape.elements() != result.shape.elements() || reads(chain, id) != uses_.count[id])
        continue;
      chain.nodes.push_back(node);
      if (collect_inputs(chain.nodes).size() <= kMaxChainInputs) return true;
      chain.nodes.pop_back();
    }
    return false;
  }

  /// Sets the producer to the last node with support for post-ops that only the chain reads, and puts its
  /// inputs before the chain's.
  void find_producer(NodeChain& chain) const {
    for (const ValueId id : chain.inputs) {
      const std::int32_t producer = uses_.producer[id];
      if (producer == Uses::kNone) continue;
      const auto index = static_cast<std::size_t>(producer);
      const GraphNode& node = graph_.nodes[index];
      const bool has_post_ops = op_traits(node.op).post_ops != PostOpSupport::kNone;
      const TensorSpec& result = graph_.spec(graph_.nodes[chain.nodes[0]].output);
      if (has_post_ops && graph_.spec(id).dtype == DType::kFloat32 &&
          graph_.spec(id).shape.elements() == result.shape.elements() &&
          reads(chain, id) == uses_.count[id] && (!chain.producer || index > *chain.producer))
        chain.producer = index;
    }
    if (!chain.producer) return;
    const GraphNode& producer = graph_.nodes[*chain.producer];
    std::erase(chain.inputs, producer.output);
    chain.inputs.insert(chain.inputs.begin(), producer.inputs.begin(), producer.inputs.end());
  }

  int reads(const NodeChain& chain, ValueId id) const {
    std::ptrdiff_t count = 0;
    for (const std::size_t node : chain.nodes) {
      const auto& inputs = graph_.nodes[node].inputs;
      count += std::count(inputs.begin(), inputs.end(), id);
    }
    return static_cast<int>(count);
  }

  std::vector<ValueId> collect_inputs(const std::vector<std::size_t>& nodes) const {
    std::vector<ValueId> inputs;
    for (const std::size_t node : nodes) {
      for (const ValueId id : graph_.nodes[node].inputs) {
        const bool is_inside = std::any_of(
            nodes.begin(), nodes.end(), [&](std::size_t other) { return graph_.nodes[other].output == id; });
        if (!is_inside && std::find(inputs.begin(), inputs.end(), id) == inputs.end()) inputs.push_back(id);
      }
    }
    return inputs;
  }

  const Graph& graph_;
  const Uses uses_;
  bool allow_producers_;
  std::vector<bool> taken_;
};

}  // namespace

std::vector<NodeChain> find_chains(const Graph& graph, bool allow_producers) {
  return Finder(graph, allow_producers).find();
}

void detach_producer(const Graph& graph, NodeChain& chain) {
  const GraphNode& producer = graph.nodes[*chain.producer];
  chain.inputs.erase(chain.inputs.begin(),
                     chain.inputs.begin() + static_cast<std::ptrdiff_t>(producer.inputs.size()));
  chain.inputs.insert(chain.inputs.begin(), producer.output);
  chain.producer.reset();
}

}  // namespace tenure
