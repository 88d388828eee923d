#pragma once

#include <map>
#include <optional>

#include "model/executor/row.h"

namespace tenure::executor {

/// The objects that outlive a run: tables, by the names of the nodes that create them.
using Resources = std::map<std::string, std::shared_ptr<Resource>, std::less<>>;

/// The values of a block's nodes during a run. Each is freed after its last read.
class Values {
 public:
  Values(const Block& block, const Schedule& schedule)
      : block_(&block), items_(block.nodes.size()), readers_(schedule.readers) {}

  const Block& block() const { return *block_; }
  void set(std::uint32_t node, EdgeValues items) { items_[node] = std::move(items); }
  const EdgeValues& of(std::uint32_t node) const { return items_[node]; }
  /// Returns an output for one of its readers. Frees the node's values after the last read.
  EdgeValue take(const Ref& ref);
  /// Counts a read of the node without returning a value. Frees the node's values after the last read.
  void skip(std::uint32_t node);
  bool is_read(std::uint32_t node) const { return readers_[node] > 0; }

 private:
  const Block* block_;
  std::vector<EdgeValues> items_;
  std::vector<std::uint32_t> readers_;
};

/// One execution of nodes of a model, with concrete tensors, or with symbolic ones while tracing. Functions
/// are called on an explicit stack, so that a run can stop at a custom op and resume with its outputs.
class Executor {
 public:
  /// Prepares a run of the nodes `order` of the block of `values`. Both must outlive the run.
  Executor(const Definition& definition, Resources& resources, Values& values,
           std::span<const std::uint32_t> order, bool is_tracing = false)
      : definition_(definition),
        resources_(resources),
        values_(values),
        order_(order),
        is_tracing_(is_tracing) {}

  bool is_tracing() const { return is_tracing_; }
  Resources& resources() { return resources_; }

  /// Runs to the next custom op and returns true, or to the end and returns false. Errors name the node.
  bool advance();
  /// Returns the node of the custom op at which the run has stopped. waiting_inputs() are its inputs.
  const Node& pending() const { return *waiting_; }
  const EdgeValues& waiting_inputs() const { return waiting_inputs_; }
  /// Sets the outputs of the custom op at which the run has stopped.
  void resume_with(EdgeValues items);

 private:
  /// A running function, called by node `caller` of the frame below.
  struct Frame {
    enum Kind : std::uint8_t { kCall, kLoop, kCondition, kBody };
    Kind kind;
    std::uint32_t caller;
    const Function* function;
    Values values;
    std::size_t next = 0;
    /// The loop invariants of kLoop; the loop's current values of kCondition.
    EdgeValues state = {};
  };
  Values& values() { return frames_.empty() ? values_ : frames_.back().values; }
  void run_node(std::uint32_t node);
  void enter(const Node& node, std::uint32_t index, EdgeValues inputs);
  void evaluate(const Node& node, std::uint32_t index, EdgeValues inputs);
  void push(Frame::Kind kind, std::uint32_t caller, const Function& function, EdgeValues arguments,
            EdgeValues state = {});
  void pop();
  /// Stores what a call or a custom op returned; nothing stands for a node that has run without outputs.
  void set_results(std::uint32_t index, EdgeValues results);
  const Function& find_function(const Node& node, std::string_view attribute) const;

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
  std::uint32_t waiting_index_ = 0;
  EdgeValues waiting_inputs_;
};

/// A complete run of a graph without inputs, which keeps all outputs.
class InitializerRun {
 public:
  InitializerRun(const Definition& definition, Resources& resources);
  const EdgeValue& output(const Ref& ref) const;

 private:
  Values values_;
};

}  // namespace tenure::executor
