#pragma once

#include "import/tflite/load.h"
#include "import/tflite/row.h"

namespace tenure::tflite {

/// The contents of a file, in the executor's form.
struct Import {
  std::vector<NamedTensor> weights;
  Definition definition;
  std::vector<GraphPort> outputs;
  FileInfo info;
};

/// Converts a file's graph. Throws for an invalid graph and for ops that are not supported, naming the node.
Import read_model(const ModelDef& model, const LoadOptions& options);

/// How the values of a tensor are wanted.
enum class ValueForm : std::uint8_t {
  kGraph,    ///< as in the graph: without zero point if it is quantized
  kReal,     ///< real numbers
  kBias,     ///< real numbers, also of values of 32 bits with scales
  kStored,   ///< as in the file: integers as int32
  kNumbers,  ///< stored integers, as float32
  kNarrow,   ///< stored integers in 8 bits, without zero point
};

/// Returns the attributes of an input or output: "type", "dtype" and "shape". Quantized values are real
/// numbers if `is_real`.
Attributes describe_port(const TensorDef& tensor, bool is_real);

/// True for the builtin ops of variables and hash tables, which nodes refer to by handles.
inline bool is_handle_op(std::int32_t code) {
  return code == kCallOnce || (code >= kHashTable && code <= kHashTableSize) ||
         (code >= kVarHandle && code <= kAssignVariable);
}

/// True for the builtin ops that run subgraphs, and for the generator of random bits, which has no row.
inline bool is_control_op(std::int32_t code) {
  return code == kIf || code == kWhile || code == kComposite || code == kCase || code == kRngBitGenerator;
}

/// Returns a constant's stored values in a form and a layout.
Tensor convert_constant(const TensorDef& def, const Tensor& stored, ValueForm form, Filter filter);

/// Names of values, as a block has them.
using NameTable = decltype(Block::names);
/// Inserts a name. Returns false if it is there already. Not inline, so that its code is in the engine once.
bool insert_name(NameTable& names, const std::string& name, Ref ref);

/// A tensor's values in a form and a layout.
struct Converted {
  ValueForm form;
  Filter filter;
  Ref ref;
};

/// A hash table that nodes refer to by handles. Its contents are constants.
struct HashTable {
  ElementType key_type;
  ElementType value_type;
  Tensor keys = {};    ///< empty until they are imported
  Tensor values = {};  ///< one for each key
  Ref key_constant = {Ref::kAbsent, 0};
  Ref value_constant = {Ref::kAbsent, 0};
};

/// A variable that nodes refer to by handles. Its value is an input and an output of the main graph.
struct Variable {
  std::string name;
  Ref value = {Ref::kAbsent, 0};
  Shape shape = {};
  DType dtype = DType::kFloat32;
  const TensorDef* stored = nullptr;    ///< the first tensor that is assigned to it or read from it
  std::string initial = {};             ///< name of the constant that it has at first; empty for zeros
  std::optional<HashTable> table = {};  ///< it is a table instead
};

/// A subgraph that is being read.
struct NameScope {
  const SubgraphDef& graph;
  Block& block;
  std::string function = {};  ///< name of the subgraph's function; empty for the main graph
  /// The values of tensors in ValueForm::kGraph; absent for those that are constants or not computed yet.
  std::vector<Ref> values = {};
  /// The constant that a tensor has the values of, in ValueForm::kReal: those of DEQUANTIZE and DENSIFY.
  std::vector<std::int32_t> aliases = {};
  /// The other forms in which nodes read each tensor.
  std::vector<std::vector<Converted>> converted = {};
  std::vector<std::string> names = {};     ///< of the tensors, without repetitions
  std::vector<std::int32_t> states = {};   ///< variable tensors that nodes read and change
  std::vector<std::int32_t> handles = {};  ///< the variable that each tensor is a handle of, -1 for others
};

/// Reads the subgraphs of a file. Quantized values are in quantization.cpp; control flow,
/// variables and nodes of JavaScript in rare/.
class GraphReader {
 public:
  GraphReader(const ModelDef& model, const LoadOptions& options, Import& import)
      : model_(model), options_(options), import_(import) {}

  void read_main();

 private:
  NameScope open(std::uint32_t subgraph, Block& block, std::string function);
  void read_operators(NameScope& scope);
  void read_operator(NameScope& scope, const OperatorDef& op);
  void read_op(NameScope& scope, const OperatorDef& op, const OpRow& row);
  /// Adds a node of JavaScript.
  void read_custom(NameScope& scope, const OperatorDef& op, std::string_view name);
  /// Names the constant that a node has the values of. Returns false if its input is no constant.
  bool fold(NameScope& scope, const OperatorDef& op);

  // Inputs, outputs and states of the main graph.
  void read_input(NameScope& scope, std::int32_t tensor);
  void read_output(NameScope& scope, std::int32_t tensor);
  /// Makes the value of a variable tensor, input `input` of a node, an input of the graph if no node has
  /// computed it. Adds the attribute kStatePrefix with `input` to those of the node if the tensor is
  /// quantized.
  void read_state(NameScope& scope, std::int32_t tensor, int input, Attributes& attrs);
  void write_states(NameScope& scope);
  void read_handle_op(NameScope& scope, const OperatorDef& op, std::int32_t code);
  void read_table_op(NameScope& scope, const OperatorDef& op, std::int32_t code);
  void import_table(const NameScope& scope, const OperatorDef& op, HashTable& table);
  void initialize_variables(std::int32_t subgraph);
  Variable& find_variable(const NameScope& scope, const OperatorDef& op, bool is_table = false);
  std::int32_t add_variable(std::string name);
  /// Throws unless an op has these numbers of inputs and outputs, and none of its inputs is left out.
  static void check_inputs(const OperatorDef& op, std::size_t inputs, std::size_t outputs);
  void read_signatures(const NameScope& scope, std::uint32_t subgraph);
  /// Lists the names and the quantization of the inputs and outputs.
  void describe_ports(const NameScope& scope);
  /// Replaces the names of tensors by those that a signature has for them, and keeps their order.
  static void rename_ports(std::vector<std::string>& names, std::span<const PortName> ports);
  /// Returns the subgraph of the signature of the options.
  std::uint32_t find_subgraph() const;

  // Control flow.
  void read_control_op(NameScope& scope, const OperatorDef& op, std::int32_t code);
  /// Returns a node of control flow with the inputs of an op.
  Node make_call_node(NameScope& scope, const OperatorDef& op, const Row& row);
  void read_if(NameScope& scope, const OperatorDef& op);
  void read_while(NameScope& scope, const OperatorDef& op);
  void read_case(NameScope& scope, const OperatorDef& op);
  void read_composite(NameScope& scope, const OperatorDef& op);
  /// Returns the function of a STABLEHLO_REDUCE_WINDOW or STABLEHLO_SCATTER by its number in REDUCE_WINDOW, 0
  /// for a scatter that replaces values. Throws unless its subgraph is a node with such a function.
  std::int32_t read_reduction(const OperatorDef& op, bool is_scatter) const;
  void read_bit_generator(NameScope& scope, const OperatorDef& op);
  /// Returns the state of a bit generator: 32-bit words if it is a constant or comes from another generator,
  /// else int32.
  Ref find_words(NameScope& scope, std::int32_t tensor);
  /// Returns the name of a subgraph's function, which is read later. Throws unless it takes the tensors
  /// `inputs` of the scope and returns tensors like `outputs`.
  std::string find_function(const NameScope& scope, std::int32_t subgraph,
                            std::span<const std::int32_t> inputs, std::span<const std::int32_t> outputs);
  void set_values(NameScope& scope, std::span<const std::int32_t> tensors, std::uint32_t node);
  void read_functions();

  // Quantized values.
  /// Returns a tensor's values. Throws if it is neither a constant nor computed by then.
  Ref find(NameScope& scope, std::int32_t tensor, ValueForm form, Filter filter = Filter::kNone);
  Ref find_constant(NameScope& scope, std::int32_t tensor, ValueForm form, Filter filter);
  /// Returns the real numbers of a constant whose blocks have a scale each.
  Tensor dequantize_blocks(const NameScope& scope, const TensorDef& def);
  /// Counts the bytes of a constant. Throws if the constants are much larger than the file.
  void count_decoded(const TensorDef& def);
  /// Counts the bytes of a name or of options that are copied from the file, which can refer to one text
  /// again and again. Throws if they are much more than the file has.
  void count_text(std::size_t bytes);
  /// Returns values that convert() or find_constant() has made before, or an absent output.
  Ref find_converted(const NameScope& scope, std::int32_t tensor, ValueForm form, Filter filter) const;
  Ref keep_converted(NameScope& scope, std::int32_t tensor, ValueForm form, Filter filter, Ref ref);
  Ref convert(NameScope& scope, std::int32_t tensor, ValueForm form);
  /// Returns values in the scale of `to`, without its zero point.
  Ref rescale(NameScope& scope, std::int32_t tensor, const TensorDef& to);
  /// Gives a tensor the values that a node has computed: real numbers, or values without zero point that are
  /// to be multiplied by `scales`, one or one for each channel. If `is_fractional`, the values may be no
  /// whole numbers, and are to be divided by the scale.
  void set_result(NameScope& scope, std::int32_t tensor, Ref ref, Tensor scales = {},
                  bool is_fractional = false, std::int32_t activation = 0);
  void read_inputs(NameScope& scope, const OperatorDef& op, const OpRow& row, Node& node);
  void set_outputs(NameScope& scope, const OperatorDef& op, const OpRow& row, std::uint32_t index);
  /// True if a GATHER has a quantized constant, and an output of its scale.
  bool gathers_integers(const NameScope& scope, const OperatorDef& op) const;
  bool has_quantized(const NameScope& scope, std::span<const std::int32_t> tensors) const;
  bool is_weighted(const NameScope& scope, const OperatorDef& op, const OpRow& row) const;
  /// Throws if an op with a quantized output has a fused activation that LiteRT does not compute there.
  void check_activation(const NameScope& scope, const OperatorDef& op, const OpRow& row) const;
  /// True if the op moves or compares quantized values, and has a fused activation, which clamps them.
  bool clamps_outputs(const NameScope& scope, const OperatorDef& op, const OpRow& row) const;
  /// True if the op, which is_weighted(), multiplies integers: its weights are constants of int8 without zero
  /// point, its other input has 8 bits.
  bool is_integer_weighted(const NameScope& scope, const OperatorDef& op, const OpRow& row) const;

  static void read_options(const OperatorDef& op, const OpRow& row, Attributes& attrs);
  /// Returns the number of an op's fused activation.
  static std::int32_t read_activation(const OperatorDef& op, const OpRow& row);
  std::string describe(const OperatorDef& op) const;
  const TensorDef& get_tensor(const NameScope& scope, std::int32_t tensor) const;
  bool is_constant(const NameScope& scope, std::int32_t tensor) const;
  std::span<const std::byte> get_buffer(const TensorDef& tensor) const;
  std::uint32_t add(NameScope& scope, Node node);
  Ref add_internal(NameScope& scope, std::int32_t tensor, const Row& row, std::vector<Ref> inputs,
                   Attributes attrs = {});
  Ref add_constant(NameScope& scope, std::string name, Tensor value);
  std::uint32_t add_argument(NameScope& scope, std::int32_t tensor);

  const ModelDef& model_;
  const LoadOptions& options_;
  Import& import_;
  std::size_t node_count_ = 0;
  std::uint64_t decoded_ = 0;
  std::uint64_t copied_text_ = 0;
  NameTable weight_names_;
  std::vector<std::uint32_t> called_;  ///< the subgraphs that nodes call
  std::vector<Variable> variables_;
  std::vector<std::uint32_t> pending_;  ///< subgraphs that are called and not yet read
};

}  // namespace tenure::tflite
