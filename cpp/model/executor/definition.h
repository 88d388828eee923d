#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/executor/attributes.h"

/// Graphs with control flow, as read by importers, and their execution.
namespace tenure::executor {

class Resource;
struct Row;
struct Loop;

/// An output of a node.
struct Ref {
  /// The node of an optional input that is left out; its value is an empty tensor.
  static constexpr std::uint32_t kAbsent = UINT32_MAX;

  std::uint32_t node = 0;
  std::uint32_t output = 0;
  bool is_absent() const { return node == kAbsent; }
  friend bool operator==(const Ref&, const Ref&) = default;
};

/// The role of a node in the graph.
enum class NodeRole : std::uint8_t {
  kOp,
  kConstant,       ///< its value is `constant`
  kInput,          ///< its value must be provided
  kOptionalInput,  ///< its value may be provided instead of computed
};

struct Node {
  std::string name;
  std::string op;
  std::int32_t version = 0;  ///< version of the op set that defines the op; 0 if the format has none
  std::string function;      ///< name of the library function that contains the node; empty in the main graph
  const Row* row = nullptr;  ///< null for an unknown op
  NodeRole role = NodeRole::kOp;
  std::uint32_t outputs = 0;  ///< number of outputs; 0 if the format does not say
  bool is_custom = false;     ///< runs outside of the engine, in JavaScript
  Attributes attrs;
  std::vector<Ref> inputs;
  std::vector<std::uint32_t> controls;  ///< control inputs: nodes that must have run
  Tensor constant;                      ///< value of a NodeRole::kConstant node
  std::shared_ptr<Resource> resource;   ///< of an input that is bound to a resource
  std::shared_ptr<const Loop> loop;     ///< of a node that replaces the frame of a loop
  /// Data that the row built from `attrs` on the first run; null before.
  mutable std::shared_ptr<const void> prepared;
};

/// The nodes that compute some results, in execution order. `readers` is, for each node of the block, the
/// number of inputs, control inputs and results that read it.
struct Schedule {
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> readers;
};

/// A list of nodes that refer to each other by index.
struct Block {
  std::vector<Node> nodes;
  /// Outputs by name: the first output of each named node, or each named value, as the format has it. Of a
  /// loop of v1 control flow, only the Exit nodes have names outside of its body.
  std::unordered_map<std::string, Ref> names;

  /// Returns the output that a name, "node:1" or "node:values:0" stands for. Throws if there is none.
  Ref find(std::string_view name) const;
  /// True if `name`, or its part before the first colon, is a name of this block.
  bool has(std::string_view name) const;

  /// Returns the first output of each node that no other node reads.
  std::vector<Ref> leaves() const;
  /// Returns the schedule that computes `wanted` if the values of the nodes `given` are known. Throws if it
  /// would contain a cycle.
  Schedule schedule(const std::vector<Ref>& wanted, const std::vector<bool>& given) const;
};

/// A block with results and with arguments, which are nodes whose values the caller provides.
struct Function {
  std::string name;
  Block block;
  std::vector<std::uint32_t> arguments;
  std::vector<Ref> results;
  Schedule schedule;

  /// Computes `schedule` from the other members, which must be complete.
  void finish();
};

/// A loop of TensorFlow's v1 control flow: the nodes between its Enter and Exit nodes. The body's arguments
/// are the carried values, then the loop invariants. Its results are the next carried values, then the values
/// of the Exit nodes, which are the loop's outputs.
struct Loop {
  Function body;
  std::size_t carried = 0;
};

/// A whole model: its main graph, and the functions of its library by name.
struct Definition {
  Block main;
  std::unordered_map<std::string, Function> functions;
};

}  // namespace tenure::executor
