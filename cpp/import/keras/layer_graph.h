#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "import/keras/network.h"

namespace tenure::keras {

/// Connection as a file names it: output `tensor` of call `node` of a layer.
struct NamedRef {
  std::string layer;
  int node;
  int tensor;
};

/// Returns the connections in `json`, in any lists and objects that a version of Keras wraps around them:
/// [name, node, tensor], with an optional fourth element of keyword arguments, which may hold initial states,
/// or {keras_history: [...]}.
std::vector<NamedRef> collect_refs(const Json& json);

/// Calls of a Functional model. Resolves names to indices and sorts the calls topologically.
class LayerGraph {
 public:
  /// Adds a layer and its calls, each a list of connections. Throws if the name is taken.
  void add_layer(const Layer& layer, std::vector<std::vector<NamedRef>> nodes);
  /// Resolves all connections, including those of the model's inputs and outputs (`ends`), and returns the
  /// calls in topological order. Throws if a connection refers to nothing or the calls form a cycle.
  std::vector<NetworkCall> connect(std::span<const NamedRef> ends);
  /// Returns the output that a connection refers to, in the order of connect(). Throws, naming `reader`, if
  /// there is none.
  TensorRef find(const NamedRef& ref, const std::string& reader) const;

 private:
  struct Entry {
    std::string name;
    bool is_network;
    int first_call;
    int count;
    int base;  ///< node number of the first call
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
