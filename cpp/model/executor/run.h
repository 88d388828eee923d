#pragma once

#include <map>
#include <optional>

#include "model/executor/row.h"

namespace tenure::executor {

/// What outlives a run: tables, by the names of the nodes that make them.
using Resources = std::map<std::string, std::shared_ptr<Object>, std::less<>>;

/// The values of a block's nodes while it runs, each freed after its last reader.
class Values {
 public:
  Values(const Block& block, const Schedule& schedule)
      : block_(&block), items_(block.nodes.size()), readers_(schedule.readers) {}

  const Block& block() const { return *block_; }
  void set(std::uint32_t node, Items items) { items_[node] = std::move(items); }
  const Items& of(std::uint32_t node) const { return items_[node]; }
  /// An output, for one of its readers: the last one gets it.
  Item take(const Ref& ref);
  /// For a reader that wants no value.
  void skip(std::uint32_t node);
  bool is_read(std::uint32_t node) const { return readers_[node] > 0; }

 private:
  const Block* block_;
  std::vector<Items> items_;
  std::vector<std::uint32_t> readers_;
};

/// One execution of nodes of a model: with tensors, or with symbolic ones while a tracer records. What calls
/// functions does so on a stack of its own, so that a run can stop at an op that is not the engine's, and go
/// on with its results.
class Run {
 public:
  /// Runs `order`, nodes of the block of `values`; both must outlive this.
  Run(const Definition& definition, Resources& resources, Values& values,
      std::span<const std::uint32_t> order, bool is_tracing = false)
      : definition_(definition),
        resources_(resources),
        values_(values),
        order_(order),
        is_tracing_(is_tracing) {}

  bool is_tracing() const { return is_tracing_; }
  Resources& resources() { return resources_; }

  /// Runs to the end, and gives false; or to a node of an op from outside, and gives true. Errors name the
  /// node.
  bool go_on();
  /// That node, and its inputs.
  const Node& waiting() const { return *waiting_; }
  const Items& waiting_inputs() const { return waiting_inputs_; }
  /// What that node gives.
  void supply(Items items);

 private:
  /// A function at work for a node of the one below.
  struct Frame {
    enum Kind : std::uint8_t { kCall, kLoop, kCondition, kBody };
    Kind kind;
    std::uint32_t caller;
    const Function* function;
    Values values;
    std::size_t next = 0;
    /// Of a loop what does not change, of a condition what it is to decide about.
    Items state = {};
  };
  Values& values() { return frames_.empty() ? values_ : frames_.back().values; }
  void run_node(std::uint32_t node);
  void enter(const Node& node, std::uint32_t place, Items inputs);
  void evaluate(const Node& node, std::uint32_t place, Items inputs);
  void push(Frame::Kind kind, std::uint32_t caller, const Function& function, Items arguments,
            Items state = {});
  void pop();
  const Function& function_of(const Node& node, std::string_view attribute) const;

  const Definition& definition_;
  Resources& resources_;
  Values& values_;
  std::span<const std::uint32_t> order_;
  bool is_tracing_;
  std::size_t next_ = 0;
  int traced_ = 0;
  int calls_ = 0;
  std::vector<Frame> frames_;
  const Node* waiting_ = nullptr;
  std::uint32_t waiting_place_ = 0;
  Items waiting_inputs_;
};

/// Runs all of a graph without inputs, and gives its outputs by name.
class Initialization {
 public:
  Initialization(const Definition& definition, Resources& resources);
  const Item& output(const Ref& ref) const;

 private:
  Values values_;
};

}  // namespace tenure::executor
