#pragma once

#include <unordered_map>

#include "import/onnx/load.h"
#include "import/onnx/model_proto.h"
#include "import/onnx/row.h"

namespace tenure::onnx {

/// The contents of a file, in the executor's form.
struct Import {
  std::vector<NamedTensor> weights;
  Definition definition;
  std::vector<GraphPort> outputs;
};

/// Converts a file's graph. Throws for an invalid graph and for ops that are not supported, naming the node.
Import read_model(const ModelProto& model, const LoadOptions& options);

/// Replaces quantized products in a block, which files write as several nodes, by one node each.
void fuse_quantized_products(Block& block);

/// The names of the values that the nodes of a graph, or of a function that is inlined, can read.
struct Scope {
  Block* block = nullptr;
  std::unordered_map<std::string, Ref> values;
  /// The types of values whose type is not apparent from their dtype: small integers.
  std::unordered_map<std::string, ElementType> types;
  /// The graph around this one, whose values it can read; null in the main graph and in functions.
  Scope* outer = nullptr;
  /// Names of the values of outer graphs that this graph reads, and the arguments that stand for them.
  std::vector<std::string> captures;
  std::vector<std::uint32_t> capture_arguments;
  std::span<const OpsetProto> opsets;
  /// The node whose call is inlined, and the called function; null outside of functions.
  const NodeProto* call = nullptr;
  const FunctionProto* function = nullptr;
  const Scope* caller = nullptr;
};

/// Reads the graphs of a file. Nodes with graphs as attributes are taken apart in control_flow.cpp.
class GraphReader {
 public:
  GraphReader(const ModelProto& model, const LoadOptions& options, Import& import)
      : model_(model), options_(options), import_(import) {}

  void read_main();

 private:
  /// A graph attribute as a function. Its arguments are complete but for those of captures.
  struct Body {
    Function function;
    Scope scope;
  };

  void read_nodes(Scope& scope, std::span<const NodeProto> nodes);
  void read_node(Scope& scope, const NodeProto& proto);
  void read_constant(Scope& scope, const NodeProto& proto);
  void read_initializers(Scope& scope, std::span<const TensorProto> tensors);
  void inline_function(Scope& scope, const NodeProto& proto, const FunctionProto& function);
  void read_op(Scope& scope, const NodeProto& proto, const Row& row);

  // Control flow.
  void read_if(Scope& scope, const NodeProto& proto);
  void read_loop(Scope& scope, const NodeProto& proto);
  void read_scan(Scope& scope, const NodeProto& proto);
  /// The state of a Loop or a Scan: the values that its iterations carry, and the graph of one iteration.
  struct Iteration;
  void add_while(Scope& scope, const NodeProto& proto, Iteration& iteration);
  /// Reads a graph whose inputs are bound to `arguments`, which are nodes of the body's block already.
  void read_body(Body& body, const GraphProto& graph);
  void start_body(Body& body, Scope& outer, const NodeProto& proto, const GraphProto& graph);
  std::string add_function(Function function);

  Node make_node(const Scope& scope, const NodeProto& proto, const Row& row);
  std::uint32_t add(Scope& scope, Node node);
  /// Adds a node that the file does not have.
  Ref add_internal(Scope& scope, const NodeProto& proto, const Row& row, std::vector<Ref> inputs,
                   Attributes attrs = {});
  Ref add_constant(Scope& scope, std::string name, Tensor value);
  std::uint32_t add_argument(Scope& scope, std::string name);
  void name_value(Scope& scope, std::string_view name, Ref ref);
  /// Returns the value of a name. Makes values of outer graphs arguments. Throws if there is none.
  Ref find(Scope& scope, std::string_view name);
  bool has(const Scope& scope, std::string_view name) const;
  /// Notes the type of a value if rows may need it.
  void set_type(Scope& scope, std::string_view name, ElementType type);
  /// Returns the type of a value of small integers, kUndefined of others.
  ElementType find_type(const Scope& scope, std::string_view name) const;
  /// Gives a node the types of its inputs, and its first output a type.
  void infer_types(Scope& scope, const NodeProto& proto, Node& node);
  Ref find_input(Scope& scope, const NodeProto& proto, std::size_t i);
  std::int32_t find_opset(const Scope& scope, std::string_view domain) const;
  /// Returns the attributes of a node, those of a function's nodes as its caller gives them.
  std::vector<const AttributeProto*> resolve_attributes(const Scope& scope, const NodeProto& proto) const;
  const GraphProto& find_graph(const NodeProto& proto, std::string_view name) const;

  const ModelProto& model_;
  const LoadOptions& options_;
  Import& import_;
  std::size_t node_count_ = 0;
  int inlined_ = 0;
};

}  // namespace tenure::onnx
