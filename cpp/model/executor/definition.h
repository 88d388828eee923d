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
  std::uint32_t node = 0;
  std::uint32_t output = 0;
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
  std::string function;      ///< name of the library function that contains the node; empty in the main graph
  const Row* row = nullptr;  ///< null for an unknown op
  NodeRole role = NodeRole::kOp;
  bool is_custom = false;  ///< runs outside of the engine, in JavaScript
  Attributes attrs;
  std::vector<Ref> inputs;
  std::vector<std::uint32_t> controls;  ///< control inputs: nodes that must have run
  Tensor constant;                      ///< value of a NodeRole::kConstant node
  std::shared_ptr<Resource> resource;   ///< of an input that is bound to a resource
  std::shared_ptr<const Loop> loop;     ///< of a node that replaces the frame of a loop
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
  /// Indices of the nodes by name. Of a loop, only the Exit nodes have names outside of its body.
  std::unordered_map<std::string, std::uint32_t> names;

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
