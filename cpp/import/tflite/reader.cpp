#include "import/tflite/reader.h"

#include <algorithm>

#include "core/error.h"
#include "import/tflite/internal_rows.h"

namespace tenure::tflite {
namespace {

constexpr std::size_t kMaxNodes = 1 << 18;
// Dense tensors are larger than sparse ones, and float32 than 4 bits.
constexpr std::uint64_t kDecodedPerByte = 256;
constexpr std::uint64_t kMinDecoded = 1 << 20;
constexpr std::size_t kBasicLstmInputs = 5;
// A name is copied for each node of its tensor.
constexpr std::uint64_t kTextPerByte = 64;

/// True if a tensor has a buffer of its own and no elements, so that it is a constant without bytes.
bool has_empty_buffer(const TensorDef& def) {
  return def.buffer != 0 && std::find(def.shape.begin(), def.shape.end(), 0) != def.shape.end();
}

}  // namespace

bool insert_name(NameTable& names, const std::string& name, Ref ref) {
  return names.emplace(name, ref).second;
}

Import read_model(const ModelDef& model, const LoadOptions& options) {
  Import import;
  GraphReader(model, options, import).read_main();
  return import;
}

void GraphReader::read_main() {
  const std::uint32_t subgraph = options_.signature.empty() ? 0 : find_subgraph();
  NameScope scope = open(subgraph, import_.definition.main, "");
  for (const std::int32_t tensor : scope.graph.inputs) read_input(scope, tensor);
  read_operators(scope);
  for (const std::int32_t tensor : scope.graph.outputs) read_output(scope, tensor);
  if (!scope.states.empty() || !variables_.empty()) write_states(scope);
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(scope.values.size()); ++i) {
    const Ref ref = scope.values[static_cast<std::size_t>(i)];
    const std::string& name = scope.names[static_cast<std::size_t>(i)];
    if (ref.is_absent() || scope.block.names.contains(name)) continue;
    insert_name(scope.block.names, name,
                find(scope, i, options_.is_quantized ? ValueForm::kStored : ValueForm::kReal));
  }
  read_signatures(scope, subgraph);
  describe_ports(scope);
  if (!pending_.empty()) read_functions();
}

NameScope GraphReader::open(std::uint32_t subgraph, Block& block, std::string function) {
  const SubgraphDef& graph = model_.subgraphs[subgraph];
  const std::size_t tensors = graph.tensors.size();
  NameScope scope{.graph = graph,
                  .block = block,
                  .function = std::move(function),
                  .values = std::vector<Ref>(tensors, Ref{Ref::kAbsent, 0}),
                  .aliases = std::vector<std::int32_t>(tensors, -1),
                  .converted = std::vector<std::vector<Converted>>(tensors),
                  .handles = std::vector<std::int32_t>(tensors, -1)};
  NameTable used;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    std::string name(graph.tensors[i].name);
    if (name.empty() || !insert_name(used, name, {})) {
      name += text(name.empty() ? "tensor " : " #", i);
      insert_name(used, name, {});
    }
    count_text(name.size());
    scope.names.push_back(std::move(name));
  }
  return scope;
}

void GraphReader::read_input(NameScope& scope, std::int32_t tensor) {
  const TensorDef& def = get_tensor(scope, tensor);
  const std::string& name = scope.names[static_cast<std::size_t>(tensor)];
  try {
    check(scope.values[static_cast<std::size_t>(tensor)].is_absent(), "it is there twice");
    const std::uint32_t index = add_argument(scope, tensor);
    const bool is_quantized = tflite::is_quantized(def);
    scope.block.nodes[index].attrs = describe_port(def, is_quantized && !options_.is_quantized);
    insert_name(scope.block.names, name, {index, 0});
    Ref& value = scope.values[static_cast<std::size_t>(tensor)];
    value = {index, 0};
    if (!is_quantized) return;
    if (!options_.is_quantized) {
      set_result(scope, tensor, value);
      return;
    }
    value = add_internal(scope, tensor, internal::kLoadRow, {value},
                         internal::make_attributes({{"zero", zero_point(def.quantization)}}));
  } catch (const Error& error) {
    fail_with(error.code(), text("the input \"", name, "\": ", error.what()));
  }
}

void GraphReader::read_output(NameScope& scope, std::int32_t tensor) {
  const TensorDef& def = get_tensor(scope, tensor);
  const std::string& name = scope.names[static_cast<std::size_t>(tensor)];
  try {
    const bool is_quantized = tflite::is_quantized(def);
    const Attributes attrs = describe_port(def, is_quantized && !options_.is_quantized);
    const Ref ref = find(scope, tensor, options_.is_quantized ? ValueForm::kStored : ValueForm::kReal);
    insert_name(scope.block.names, name, ref);
    count_text(name.size());
    import_.outputs.push_back(
        {name, attrs.shape("shape"), attrs.find_dtype("dtype"), std::string(attrs.string("type"))});
  } catch (const Error& error) {
    fail_with(error.code(), text("the output \"", name, "\": ", error.what()));
  }
}

void GraphReader::read_signatures(const NameScope& scope, std::uint32_t subgraph) {
  // Lists of a known size: those that grow take more code.
  std::vector<SignatureInfo>& infos = import_.info.signatures;
  infos = std::vector<SignatureInfo>(model_.signatures.size());
  std::size_t& chosen = import_.info.signature_index;
  chosen = infos.size();
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const Signature& signature = model_.signatures[i];
    // Names of tensors are those of the subgraph that was read; others are only listed.
    const bool is_read = signature.subgraph == subgraph;
    const auto name_ports = [&](std::span<const SignaturePort> ports) {
      std::vector<PortName> names(ports.size());
      for (std::size_t k = 0; k < ports.size(); ++k) {
        names[k].name = ports[k].name;
        if (is_read) names[k].tensor = scope.names[ports[k].tensor];
      }
      return names;
    };
    infos[i].key = signature.key;
    infos[i].inputs = name_ports(signature.inputs);
    infos[i].outputs = name_ports(signature.outputs);
    const bool is_wanted = options_.signature.empty() ? is_read : signature.key == options_.signature;
    if (is_wanted && chosen == infos.size()) chosen = i;
  }
}

void GraphReader::describe_ports(const NameScope& scope) {
  FileInfo& info = import_.info;
  const auto describe = [&](std::span<const std::int32_t> tensors, std::vector<std::string>& names) {
    std::vector<PortQuantization> ports(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      names.push_back(scope.names[static_cast<std::size_t>(tensors[i])]);
      const TensorDef& def = get_tensor(scope, tensors[i]);
      if (is_quantized(def)) ports[i] = {def.quantization.scales[0], zero_point(def.quantization)};
    }
    return ports;
  };
  info.inputs = describe(scope.graph.inputs, info.input_names);
  info.outputs = describe(scope.graph.outputs, info.output_names);
  if (options_.signature.empty()) return;
  const SignatureInfo& signature = info.signatures[info.signature_index];
  rename_ports(info.input_names, signature.inputs);
  rename_ports(info.output_names, signature.outputs);
}

void GraphReader::read_operators(NameScope& scope) {
  for (std::size_t i = 0; i < scope.graph.operators.size(); ++i) {
    const OperatorDef& op = scope.graph.operators[i];
    try {
      read_operator(scope, op);
      // A later node may write a tensor again.
      for (const std::int32_t tensor : op.outputs) scope.converted[static_cast<std::size_t>(tensor)].clear();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kOutOfMemory) throw;
      const std::string where = scope.function.empty() ? "" : text(" of ", scope.function);
      fail_with(error.code(), text("node ", i, where, " (", describe(op), "): ", error.what()));
    }
  }
}

std::string GraphReader::describe(const OperatorDef& op) const {
  const OperatorCode& code = model_.codes[op.code];
  if (code.builtin == kCustom) return text("custom op \"", code.custom, "\"");
  return text(get_op_name(code.builtin), " version ", code.version);
}

void GraphReader::read_operator(NameScope& scope, const OperatorDef& op) {
  const OperatorCode& code = model_.codes[op.code];
  if (code.builtin == kCustom) {
    const std::vector<std::string>& custom = options_.custom_ops;
    if (std::find(custom.begin(), custom.end(), code.custom) != custom.end())
      return read_custom(scope, op, code.custom);
    const OpRow* row = find_custom_row(code.custom);
    check(row != nullptr, "the custom op is not supported; registerOp() adds it");
    return read_op(scope, op, *row);
  }
  if ((code.builtin == kDequantize || code.builtin == kDensify) && fold(scope, op)) return;
  if (is_control_op(code.builtin)) return read_control_op(scope, op, code.builtin);
  if (is_handle_op(code.builtin)) return read_handle_op(scope, op, code.builtin);
  const bool is_basic = code.builtin == kLstm && op.inputs.size() == kBasicLstmInputs;
  const bool is_stored = code.builtin == kGather && gathers_integers(scope, op);
  const OpRow* row = find_row(is_basic ? kBasicLstm : is_stored ? kStoredGather : code.builtin);
  check(row != nullptr, "the op is not supported");
  read_op(scope, op, *row);
}

bool GraphReader::fold(NameScope& scope, const OperatorDef& op) {
  check(op.inputs.size() == 1 && op.outputs.size() == 1, "it has ", op.inputs.size(), " inputs and ",
        op.outputs.size(), " outputs");
  const std::int32_t output = op.outputs[0];
  if (op.inputs[0] < 0 || !is_constant(scope, op.inputs[0])) return false;
  // Constants with the values of others could refer to one another in a circle.
  const TensorDef& def = get_tensor(scope, output);
  check(get_buffer(def).empty(), "its output is a constant");
  // The next value of a variable comes from a node.
  if (def.is_variable) return false;
  scope.values[static_cast<std::size_t>(output)] = {Ref::kAbsent, 0};
  if (has_empty_buffer(def)) return true;
  const std::int32_t alias = scope.aliases[static_cast<std::size_t>(op.inputs[0])];
  scope.aliases[static_cast<std::size_t>(output)] = alias >= 0 ? alias : op.inputs[0];
  return true;
}

void GraphReader::read_op(NameScope& scope, const OperatorDef& op, const OpRow& row) {
  check(!op.outputs.empty(), "it has no outputs");
  check_activation(scope, op, row);
  Node node;
  node.name = scope.names[static_cast<std::size_t>(op.outputs[0])];
  node.op = row.row.op;
  node.version = model_.codes[op.code].version;
  node.row = &row.row;
  node.outputs = static_cast<std::uint32_t>(op.outputs.size());
  // The first attribute of a name counts: a fused activation is part of the conversion to the output's scale.
  if (is_weighted(scope, op, row) || clamps_outputs(scope, op, row)) add_number(node.attrs, "activation", 0);
  read_options(op, row, node.attrs);
  const bool is_scatter = row.code == kStablehloScatter;
  if (is_scatter || row.code == kStablehloReduceWindow)
    add_number(node.attrs, "function", read_reduction(op, is_scatter));
  if (model_.codes[op.code].builtin == kCustom) {
    count_text(op.custom_options.size());
    add_string(node.attrs, kCustomOptions,
               {reinterpret_cast<const char*>(op.custom_options.data()), op.custom_options.size()});
  }
  const TensorDef& first = get_tensor(scope, op.outputs[0]);
  std::optional<DType> dtype = to_dtype(first.type);
  if (is_quantized(first) && row.quantized != Quantized::kStored) dtype = DType::kFloat32;
  add_type(node.attrs, "output type", first.type, dtype);
  const std::size_t typed = row.code == kLshProjection ? 1 : 0;
  if (op.inputs.size() > typed && op.inputs[typed] >= 0) {
    const TensorDef& def = get_tensor(scope, op.inputs[typed]);
    add_type(node.attrs, "input type", def.type, {});
    if (row.code == kLshProjection || row.code == kBitcast) check_32_bits(def, get_buffer(def));
  }
  for (const std::int8_t input : row.states) {
    check(
        static_cast<std::size_t>(input) < op.inputs.size() && op.inputs[static_cast<std::size_t>(input)] >= 0,
        "input ", static_cast<int>(input), ", its state, is left out");
    read_state(scope, op.inputs[static_cast<std::size_t>(input)], input, node.attrs);
  }
  read_inputs(scope, op, row, node);
  const std::uint32_t index = add(scope, std::move(node));
  set_outputs(scope, op, row, index);
  auto next = static_cast<std::uint32_t>(op.outputs.size());
  for (const std::int8_t input : row.states) {
    const std::int32_t tensor = op.inputs[static_cast<std::size_t>(input)];
    // The values that were converted are those before the node.
    scope.converted[static_cast<std::size_t>(tensor)].clear();
    set_result(scope, tensor, {index, next++});
  }
}

const TensorDef& GraphReader::get_tensor(const NameScope& scope, std::int32_t tensor) const {
  return scope.graph.tensors[static_cast<std::size_t>(tensor)];
}

std::span<const std::byte> GraphReader::get_buffer(const TensorDef& tensor) const {
  return tensor.buffer < model_.buffers.size() ? model_.buffers[tensor.buffer] : std::span<const std::byte>();
}

bool GraphReader::is_constant(const NameScope& scope, std::int32_t tensor) const {
  const auto at = static_cast<std::size_t>(tensor);
  if (!scope.values[at].is_absent()) return false;
  if (scope.aliases[at] >= 0) return true;
  const TensorDef& def = get_tensor(scope, tensor);
  if (def.is_variable) return false;
  return !get_buffer(def).empty() || has_empty_buffer(def);
}

std::uint32_t GraphReader::add(NameScope& scope, Node node) {
  check(++node_count_ <= kMaxNodes, "the model has more than ", kMaxNodes, " nodes");
  count_text(node.name.size());
  scope.block.nodes.push_back(std::move(node));
  return static_cast<std::uint32_t>(scope.block.nodes.size() - 1);
}

Ref GraphReader::add_internal(NameScope& scope, std::int32_t tensor, const Row& row, std::vector<Ref> inputs,
                              Attributes attrs) {
  Node node;
  node.name = scope.names[static_cast<std::size_t>(tensor)];
  node.op = row.op;
  node.row = &row;
  node.inputs = std::move(inputs);
  node.attrs = std::move(attrs);
  return {add(scope, std::move(node)), 0};
}

Ref GraphReader::add_constant(NameScope& scope, std::string name, Tensor value) {
  if (!insert_name(weight_names_, name, {})) {
    name += text(" #", weight_names_.size());
    insert_name(weight_names_, name, {});
  }
  import_.weights.push_back({name, value});
  Node node;
  node.name = std::move(name);
  node.op = internal::kConstantRow.op;
  node.row = &internal::kConstantRow;
  node.role = NodeRole::kConstant;
  node.constant = std::move(value);
  return {add(scope, std::move(node)), 0};
}

std::uint32_t GraphReader::add_argument(NameScope& scope, std::int32_t tensor) {
  Node node;
  node.name = scope.names[static_cast<std::size_t>(tensor)];
  node.op = "input";
  node.role = NodeRole::kInput;
  return add(scope, std::move(node));
}

void GraphReader::count_text(std::size_t bytes) {
  copied_text_ += bytes;
  check(copied_text_ <= kMinDecoded + kTextPerByte * model_.bytes, "the names of its nodes take more than ",
        kMinDecoded + kTextPerByte * model_.bytes, " bytes, the file has ", model_.bytes);
}

void GraphReader::count_decoded(const TensorDef& def) {
  decoded_ += decoded_bytes(def);
  check(decoded_ <= kMinDecoded + kDecodedPerByte * model_.bytes, "the constants take more than ",
        kMinDecoded + kDecodedPerByte * model_.bytes, " bytes, the file has ", model_.bytes);
}

Ref GraphReader::find_constant(NameScope& scope, std::int32_t tensor, ValueForm form, Filter filter) {
  const std::int32_t alias = scope.aliases[static_cast<std::size_t>(tensor)];
  if (alias >= 0)
    return find_constant(scope, alias, is_quantized(get_tensor(scope, tensor)) ? form : ValueForm::kReal,
                         filter);
  if (const Ref known = find_converted(scope, tensor, form, filter); !known.is_absent()) return known;
  const TensorDef& def = get_tensor(scope, tensor);
  const std::string& name = scope.names[static_cast<std::size_t>(tensor)];
  try {
    count_decoded(def);
    const std::span<const std::byte> buffer = get_buffer(def);
    const bool is_wide = form == ValueForm::kNumbers && def.type == ElementType::kInt64;
    const Tensor stored = def.blocks ? dequantize_blocks(scope, def)
                          : is_wide  ? decode_longs(def, buffer)
                                     : decode_tensor(def, buffer);
    const Tensor value = convert_constant(def, stored, form, filter);
    return keep_converted(scope, tensor, form, filter, add_constant(scope, name, value));
  } catch (const Error& error) {
    fail_with(error.code(), text("the constant \"", name, "\": ", error.what()));
  }
}

}  // namespace tenure::tflite
