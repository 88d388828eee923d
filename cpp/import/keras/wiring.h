#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "import/keras/network.h"

namespace tenure::keras {

/// A connection as a file names it: output `tensor` of call `node` of a layer.
struct NamedRef {
  std::string layer;
  int node;
  int tensor;
};

/// Finds the connections in whatever lists and objects a version of Keras wraps around them: [name, node,
/// tensor], with a fourth element of keyword arguments in which initial states may hide, or {keras_history:
/// [...]}.
std::vector<NamedRef> collect_refs(const Json& json);

/// The calls of a Functional model: from names to indices, and into an order in which they can run.
class Wiring {
 public:
  /// Registers a layer and its calls, each a list of connections. Throws when the name is taken.
  void add_layer(const Layer& layer, std::vector<std::vector<NamedRef>> nodes);
  /// Resolves all connections, those of the model's inputs and outputs (`ends`) included, and sorts the
  /// calls. Throws when a connection leads nowhere or the calls form a cycle.
  std::vector<NetworkCall> connect(std::span<const NamedRef> ends);
  /// Where connect() put what a connection names.
  TensorRef find(const NamedRef& ref, const std::string& reader) const;

 private:
  struct Entry {
    std::string name;
    bool is_network;
    int first_call;
    int count;
    int base;  ///< number of the first call
  };
  struct Call {
    NetworkCall call;
    std::vector<NamedRef> refs;
  };
  void number_nodes(std::span<const NamedRef> ends);
  std::string describe(const NetworkCall& call) const;

  std::vector<Entry> entries_;
  std::map<std::string, int, std::less<>> index_;
  std::vector<Call> calls_;
  std::vector<int> position_;
};

}  // namespace tenure::keras
