#pragma once

#include <deque>
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
/// Makes products read the inputs of transposes that swap the last two axes, in place of copies.
void fuse_transposes(Block& block);
/// Lets a Concat of an input and new rows, which is one of the outputs and an operand of a product, append
/// without a copy. To be called after fuse_transposes().
void fuse_caches(Block& block, std::span<const Ref> outputs);
/// True if fuse_caches() may find a Concat in a graph: one is among its outputs, or functions may have one.
bool may_return_cache(const ModelProto& model, const GraphProto& graph);

inline constexpr std::string_view kScanInputs = "num_scan_inputs";
inline constexpr std::string_view kScanAxes = "scan_input_axes";
/// True if a Scan of a model of opset 8 is not one that unbatch_scan() has returned, or has written into it.
bool is_batched_scan(const NodeProto& proto);
/// Returns the Scan of opset 9 for one of opset 8 with the body `graph`. Adds the names of its values to
/// `names`, which must outlive the result. Throws if it has a lengths input.
NodeProto unbatch_scan(const NodeProto& proto, const GraphProto& graph, std::deque<std::string>& names);

/// The names of the values that the nodes of a graph, or of a function that is inlined, can read.
struct NameScope {
  Block* block = nullptr;
  std::unordered_map<std::string, Ref> values;
  /// The types of values whose type is not apparent from their dtype: integers other than int32, small
  /// floats.
  std::unordered_map<std::string, ElementType> types;
  /// The graph around this one, whose values it can read; null in the main graph and in functions.
  NameScope* outer = nullptr;
  /// Names of the values of outer graphs that this graph reads, and the arguments that stand for them.
  std::vector<std::string> captures;
  std::vector<std::uint32_t> capture_arguments;
  std::span<const OpsetProto> opsets;
  /// The node whose call is inlined, and the called function; null outside of functions.
  const NodeProto* call = nullptr;
  const FunctionProto* function = nullptr;
  const NameScope* caller = nullptr;
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
    NameScope scope;
  };

  void read_nodes(NameScope& scope, std::span<const NodeProto> nodes);
  void read_node(NameScope& scope, const NodeProto& proto);
  void read_constant(NameScope& scope, const NodeProto& proto);
  void read_initializers(NameScope& scope, std::span<const TensorProto> tensors);
  void inline_function(NameScope& scope, const NodeProto& proto, const FunctionProto& function);
  void read_op(NameScope& scope, const NodeProto& proto, const Row& row);

  // Control flow.
  void read_if(NameScope& scope, const NodeProto& proto);
  void read_loop(NameScope& scope, const NodeProto& proto);
  void read_scan(NameScope& scope, const NodeProto& proto);
  void read_sequence_map(NameScope& scope, const NodeProto& proto);
  void read_flex_attention(NameScope& scope, const NodeProto& proto);
  /// Adds the nodes of a graph attribute with one input and one output to the graph around it. Returns the
  /// output for the input `value`, or `value` if there is no such attribute.
  Ref inline_graph(NameScope& scope, const NodeProto& proto, std::string_view name, Ref value);
  std::vector<Ref> find_inputs(NameScope& scope, const NodeProto& proto);
  /// The state of a loop: the values that its iterations carry, and the graph of one iteration.
  struct Iteration;
  void add_while(NameScope& scope, const NodeProto& proto, Iteration& iteration);
  std::vector<Ref> add_arguments(Iteration& iteration, const std::string& name);
  /// Reads a graph whose inputs are bound to `arguments`, which are nodes of the body's block already.
  void read_body(Body& body, const GraphProto& graph);
  void start_body(Body& body, NameScope& outer, const NodeProto& proto, const GraphProto& graph);
  std::string add_function(Function function);

  /// Fuses nodes of a graph whose nodes are all read.
  void fuse(Block& block, const GraphProto& graph, std::span<const Ref> outputs) const;

  Node make_node(const NameScope& scope, const NodeProto& proto, const Row& row);
  /// Counts a node, or a call of a function. Throws if there are too many.
  void count_node();
  std::uint32_t add(NameScope& scope, Node node);
  /// Adds a node that the file does not have.
  Ref add_internal(NameScope& scope, const NodeProto& proto, const Row& row, std::vector<Ref> inputs,
                   Attributes attrs = {});
  Ref add_constant(NameScope& scope, std::string name, Tensor value);
  std::uint32_t add_argument(NameScope& scope, std::string name);
  void name_value(NameScope& scope, std::string_view name, Ref ref);
  /// Returns the value of a name. Makes values of outer graphs arguments. Throws if there is none.
  Ref find(NameScope& scope, std::string_view name);
  /// Returns the value of an output of a graph. Throws if there is none.
  Ref find_output(NameScope& scope, std::string_view name);
  bool has(const NameScope& scope, std::string_view name) const;
  /// Notes the type of a value if rows may need it.
  void set_type(NameScope& scope, std::string_view name, ElementType type);
  /// Notes the types that a graph declares. Types inferred from its nodes replace them.
  void declare_types(NameScope& scope, const GraphProto& graph);
  /// Returns the type of a value of integers other than int32 or of small floats, kUndefined of others.
  ElementType find_type(const NameScope& scope, std::string_view name) const;
  /// Gives a node the types of its inputs, and its outputs types.
  void infer_types(NameScope& scope, const NodeProto& proto, Node& node);
  /// Checks inputs of unsigned integers of a node whose result depends on their order or their size.
  void check_unsigned_inputs(NameScope& scope, const NodeProto& proto, std::span<const ElementType> types,
                             Node& node);
  Ref find_input(NameScope& scope, const NodeProto& proto, std::size_t i);
  std::int32_t find_opset(const NameScope& scope, std::string_view domain) const;
  /// Returns the attributes of a node, those of a function's nodes as its caller gives them.
  std::vector<const AttributeProto*> resolve_attributes(const NameScope& scope, const NodeProto& proto) const;
  const GraphProto& find_graph(const NodeProto& proto, std::string_view name) const;

  const ModelProto& model_;
  const LoadOptions& options_;
  Import& import_;
  std::size_t node_count_ = 0;
  bool has_quantized_ops_ = false;
  int inlined_ = 0;
  std::deque<std::string> names_;  ///< of values that the file does not have
};

}  // namespace tenure::onnx
