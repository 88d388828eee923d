#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/executor/attributes.h"

/// Graphs with control flow, as importers read them from files, and how they run.
namespace tenure::executor {

class Object;
struct Row;
struct Loop;

/// An output of a node.
struct Ref {
  std::uint32_t node = 0;
  std::uint32_t output = 0;
  friend bool operator==(const Ref&, const Ref&) = default;
};

/// What a node is to the graph, besides an op.
enum class NodeRole : std::uint8_t {
  kOp,
  kConstant,       ///< its value is `constant`
  kInput,          ///< its value must be given
  kOptionalInput,  ///< its value may be given instead of computed
};

struct Node {
  std::string name;
  std::string op;
  std::string function;      ///< of the library that the node is of; empty in the graph itself
  const Row* row = nullptr;  ///< null for an op that is not known
  NodeRole role = NodeRole::kOp;
  bool is_custom = false;  ///< runs outside the engine
  Attributes attrs;
  std::vector<Ref> inputs;
  std::vector<std::uint32_t> controls;  ///< nodes that must have run
  Tensor constant;                      ///< of NodeRole::kConstant
  std::shared_ptr<Object> resource;     ///< of an input that stands for one
  std::shared_ptr<const Loop> loop;     ///< of what stands for the frame of a loop
};

/// Which nodes compute some results, in order, and how many inputs and results read each node of the block.
struct Schedule {
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> readers;
};

/// Nodes that refer to one another.
struct Block {
  std::vector<Node> nodes;
  /// Nodes by name; those of loops' bodies too, where their values are known outside.
  std::unordered_map<std::string, std::uint32_t> names;

  /// The first outputs of the nodes that no other node reads.
  std::vector<Ref> leaves() const;
  /// What computes `wanted` when the values of the nodes `given` are known. Throws when a node is its own
  /// input, however indirect.
  Schedule schedule(const std::vector<Ref>& wanted, const std::vector<bool>& given) const;
};

/// A block with arguments, nodes whose values are given, and results.
struct Function {
  std::string name;
  Block block;
  std::vector<std::uint32_t> arguments;
  std::vector<Ref> results;
  Schedule schedule;

  /// Makes the schedule, once everything else is there.
  void finish();
};

/// A loop of TensorFlow's first control flow: the nodes between its Enter and Exit nodes. Arguments are first
/// the values that are carried, then those that stay. Results are first what is carried on, then what leaves:
/// they are the loop's outputs.
struct Loop {
  Function body;
  std::size_t carried = 0;
};

/// A whole model: its graph, and the functions of its library by name.
struct Definition {
  Block main;
  std::unordered_map<std::string, Function> functions;
};

}  // namespace tenure::executor
