#include "import/onnx/reader.h"

#include <algorithm>

#include "core/error.h"
#include "import/onnx/attributes.h"
#include "import/onnx/control.h"
#include "import/onnx/families.h"
#include "import/onnx/node_order.h"
#include "model/files/raw_elements.h"

namespace tenure::onnx {
namespace {

// More nodes are taken for functions that call one another again and again.
constexpr std::size_t kMaxNodes = 1 << 18;
// Functions within functions.
constexpr int kMaxInlined = 32;
// The version of the standard that ops of com.microsoft with its names follow.
constexpr std::int32_t kContribOpset = 13;

std::string describe(const NodeProto& proto) {
  const std::string_view name = !proto.name.empty()      ? proto.name
                                : !proto.outputs.empty() ? proto.outputs[0]
                                                         : std::string_view();
  return text("the node \"", name, "\" (", proto.op, ")");
}

}  // namespace

bool may_return_cache(const ModelProto& model, const GraphProto& graph) {
  return !model.functions.empty() ||
         std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const NodeProto& node) {
           return node.op == "Concat" && node.inputs.size() == 2 && node.outputs.size() == 1 &&
                  std::any_of(graph.outputs.begin(), graph.outputs.end(),
                              [&](const ValueInfoProto& output) { return output.name == node.outputs[0]; });
         });
}

Import read_model(const ModelProto& model, const LoadOptions& options) {
  Import import;
  GraphReader(model, options, import).read_main();
  return import;
}

void GraphReader::read_main() {
  const GraphProto& graph = *model_.graph;
  NameScope scope;
  scope.block = &import_.definition.main;
  scope.opsets = model_.opsets;
  declare_types(scope, graph);
  read_initializers(scope, graph.initializers);
  for (const ValueInfoProto& input : graph.inputs) {
    // Before version 4 of the format, initializers had to be inputs too: their values are defaults.
    if (scope.values.contains(std::string(input.name))) continue;
    try {
      const std::uint32_t index = add_argument(scope, std::string(input.name));
      scope.block->nodes[index].attrs = to_attributes(input, options_.free_dimensions);
      name_value(scope, input.name, {index, 0});
      set_type(scope, input.name, static_cast<ElementType>(input.type));
    } catch (const Error& error) {
      fail_with(error.code(), text("the input \"", input.name, "\": ", error.what()));
    }
  }
  read_nodes(scope, graph.nodes);
  std::vector<Ref> outputs;
  for (const ValueInfoProto& output : graph.outputs) {
    try {
      const Ref ref = find_output(scope, output.name);
      outputs.push_back(ref);
      // A ZipMap returns a tensor instead of maps.
      const bool is_map = !output.is_supported && scope.block->nodes[ref.node].op == "ZipMap";
      ValueInfoProto info = is_map ? ValueInfoProto() : output;
      if (is_map) info.type = static_cast<std::int32_t>(ElementType::kFloat);
      if (info.type == 0) info.type = static_cast<std::int32_t>(find_type(scope, output.name));
      const Attributes attrs = to_attributes(info, options_.free_dimensions);
      const std::span<const std::string> symbols = attrs.strings("symbols");
      import_.outputs.push_back({std::string(output.name),
                                 attrs.shape("shape"),
                                 attrs.find_dtype("dtype"),
                                 std::string(attrs.string("type")),
                                 {symbols.begin(), symbols.end()},
                                 std::string(attrs.string("container"))});
    } catch (const Error& error) {
      fail_with(error.code(), text("the output \"", output.name, "\": ", error.what()));
    }
  }
  fuse(*scope.block, graph, outputs);
  for (auto& [name, ref] : scope.values) {
    if (!ref.is_absent()) scope.block->names.emplace(name, ref);
  }
}

void GraphReader::fuse(Block& block, const GraphProto& graph, std::span<const Ref> outputs) const {
  // The first and the last are in parts of the engine that are loaded if a model needs them.
  if (has_quantized_ops_) fuse_quantized_products(block);
  fuse_transposes(block);
  if (may_return_cache(model_, graph)) fuse_caches(block, outputs);
}

void GraphReader::read_initializers(NameScope& scope, std::span<const TensorProto> tensors) {
  for (const TensorProto& proto : tensors) {
    try {
      name_value(scope, proto.name,
                 add_constant(scope, std::string(proto.name), decode_tensor(proto, options_.files)));
      set_type(scope, proto.name, static_cast<ElementType>(proto.type));
    } catch (const Error& error) {
      fail_with(error.code(), text("the initializer \"", proto.name, "\": ", error.what()));
    }
  }
}

void GraphReader::read_nodes(NameScope& scope, std::span<const NodeProto> nodes) {
  for (const NodeProto* proto : sort_nodes(nodes)) {
    try {
      read_node(scope, *proto);
    } catch (const Error& error) {
      // Errors of inner nodes name these.
      const std::string_view message = error.what();
      if (message.starts_with("the node \"")) throw;
      fail_with(error.code(), text(describe(*proto), ": ", message));
    }
  }
}

void GraphReader::read_node(NameScope& scope, const NodeProto& proto) {
  check(!proto.op.empty(), "it has no op");
  const auto function = std::find_if(
      model_.functions.begin(), model_.functions.end(),
      [&](const FunctionProto& one) { return one.name == proto.op && one.domain == proto.domain; });
  if (function != model_.functions.end()) return inline_function(scope, proto, *function);
  if (proto.domain.empty()) {
    if (proto.op == "Constant") return read_constant(scope, proto);
    if (proto.op == "If") return read_if(scope, proto);
    if (proto.op == "Loop") return read_loop(scope, proto);
    if (proto.op == "Scan") return read_scan(scope, proto);
    if (proto.op == "SequenceMap") return read_sequence_map(scope, proto);
  }
  if (proto.domain == "ai.onnx.preview" && proto.op == "FlexAttention")
    return read_flex_attention(scope, proto);
  const RowGroup group = find_group(proto.domain, proto.op);
  has_quantized_ops_ = has_quantized_ops_ || group == RowGroup::kQuantized;
  const Row* row = find_row(group, proto.domain, proto.op);
  check(row != nullptr, "the op ", proto.op, " of the domain \"",
        proto.domain.empty() ? std::string_view("ai.onnx") : proto.domain, "\", version ",
        find_opset(scope, proto.domain), ", is not supported");
  read_op(scope, proto, *row);
}

void GraphReader::read_op(NameScope& scope, const NodeProto& proto, const Row& row) {
  Node node = make_node(scope, proto, row);
  for (std::size_t i = 0; i < proto.inputs.size(); ++i) node.inputs.push_back(find_input(scope, proto, i));
  infer_types(scope, proto, node);
  const std::uint32_t index = add(scope, std::move(node));
  for (std::uint32_t i = 0; i < proto.outputs.size(); ++i) name_value(scope, proto.outputs[i], {index, i});
}

void GraphReader::read_constant(NameScope& scope, const NodeProto& proto) {
  check(proto.outputs.size() == 1, "it has ", proto.outputs.size(), " outputs");
  const std::vector<const AttributeProto*> attributes = resolve_attributes(scope, proto);
  check(attributes.size() == 1, "it has ", attributes.size(), " attributes, one was expected");
  const AttributeProto& attribute = *attributes[0];
  TensorProto tensor;
  if (attribute.name == "value") {
    check(attribute.tensors.size() == 1, "its value is not a tensor");
    tensor = attribute.tensors[0];
  } else {
    tensor.floats = attribute.floats;
    tensor.integers = attribute.integers;
    tensor.strings = attribute.strings;
    const bool is_list = attribute.name.ends_with('s');
    std::size_t count = 0;
    if (attribute.name.starts_with("value_float")) {
      tensor.type = static_cast<std::int32_t>(ElementType::kFloat);
      if (!is_list && tensor.floats.empty()) tensor.floats.push_back(0);
      count = tensor.floats.size();
    } else if (attribute.name.starts_with("value_int")) {
      tensor.type = static_cast<std::int32_t>(ElementType::kInt64);
      if (!is_list && tensor.integers.empty()) tensor.integers.push_back(0);
      count = tensor.integers.size();
    } else if (attribute.name.starts_with("value_string")) {
      tensor.type = static_cast<std::int32_t>(ElementType::kString);
      if (!is_list && tensor.strings.empty()) tensor.strings.emplace_back();
      count = tensor.strings.size();
    } else {
      fail("a constant with the attribute \"", attribute.name, "\" is not supported");
    }
    if (is_list) tensor.dims.push_back(static_cast<std::int64_t>(count));
  }
  name_value(scope, proto.outputs[0],
             add_constant(scope, std::string(proto.outputs[0]), decode_tensor(tensor, options_.files)));
  set_type(scope, proto.outputs[0], static_cast<ElementType>(tensor.type));
}

void GraphReader::inline_function(NameScope& scope, const NodeProto& proto, const FunctionProto& function) {
  // Functions that call one another without any other node.
  count_node();
  check(++inlined_ <= kMaxInlined, "functions call one another too deep, more than ", kMaxInlined, " calls");
  check(proto.inputs.size() <= function.inputs.size() && proto.outputs.size() <= function.outputs.size(),
        "the function takes ", function.inputs.size(), " inputs and has ", function.outputs.size(),
        " outputs, the node has ", proto.inputs.size(), " and ", proto.outputs.size());
  NameScope inner;
  inner.block = scope.block;
  inner.opsets = function.opsets.empty() ? scope.opsets : std::span<const OpsetProto>(function.opsets);
  inner.call = &proto;
  inner.function = &function;
  inner.caller = &scope;
  for (std::size_t i = 0; i < function.inputs.size(); ++i) {
    const Ref ref = i < proto.inputs.size() ? find_input(scope, proto, i) : Ref{Ref::kAbsent, 0};
    inner.values.emplace(function.inputs[i], ref);
    if (i < proto.inputs.size()) set_type(inner, function.inputs[i], find_type(scope, proto.inputs[i]));
  }
  read_nodes(inner, function.nodes);
  for (std::size_t i = 0; i < proto.outputs.size(); ++i) {
    name_value(scope, proto.outputs[i], find(inner, function.outputs[i]));
    set_type(scope, proto.outputs[i], find_type(inner, function.outputs[i]));
  }
  --inlined_;
}

Node GraphReader::make_node(const NameScope& scope, const NodeProto& proto, const Row& row) {
  Node node;
  node.name = !proto.name.empty() || proto.outputs.empty() ? proto.name : proto.outputs[0];
  node.op = proto.op;
  // Ops of com.microsoft that the standard has, too, have its rows.
  node.version = proto.domain == kMicrosoft ? kContribOpset : find_opset(scope, proto.domain);
  node.row = &row;
  node.outputs = static_cast<std::uint32_t>(proto.outputs.size());
  for (const AttributeProto* attribute : resolve_attributes(scope, proto)) {
    try {
      node.attrs.add(to_attribute(*attribute, options_.files));
    } catch (const Error& error) {
      fail_with(error.code(), text("attribute \"", attribute->name, "\": ", error.what()));
    }
  }
  return node;
}

std::vector<const AttributeProto*> GraphReader::resolve_attributes(const NameScope& scope,
                                                                   const NodeProto& proto) const {
  std::vector<const AttributeProto*> attributes;
  for (const AttributeProto& attribute : proto.attributes) {
    const AttributeProto* found = &attribute;
    for (const NameScope* at = &scope; found && !found->reference.empty(); at = at->caller) {
      check(at && at->call, "attribute \"", attribute.name, "\" refers to a function's outside of functions");
      const AttributeProto* given = find_attribute(at->call->attributes, found->reference);
      found = given ? given : find_attribute(at->function->defaults, found->reference);
    }
    if (!found) continue;
    // Only constants depend on the name, which a reference may change.
    check(found->name == attribute.name || found->tensors.empty() || proto.op != "Constant",
          "a constant refers to the attribute \"", found->name, "\"");
    attributes.push_back(found);
  }
  return attributes;
}

void GraphReader::count_node() {
  check(++node_count_ <= kMaxNodes, "the model has more than ", kMaxNodes, " nodes");
}

std::uint32_t GraphReader::add(NameScope& scope, Node node) {
  count_node();
  scope.block->nodes.push_back(std::move(node));
  return static_cast<std::uint32_t>(scope.block->nodes.size() - 1);
}

Ref GraphReader::add_internal(NameScope& scope, const NodeProto& proto, const Row& row,
                              std::vector<Ref> inputs, Attributes attrs) {
  Node node;
  node.name = !proto.name.empty() || proto.outputs.empty() ? proto.name : proto.outputs[0];
  node.op = row.op;
  node.row = &row;
  node.inputs = std::move(inputs);
  node.attrs = std::move(attrs);
  return {add(scope, std::move(node)), 0};
}

Ref GraphReader::add_constant(NameScope& scope, std::string name, Tensor value) {
  import_.weights.push_back({name, value});
  Node node;
  node.name = std::move(name);
  node.op = "Constant";
  node.row = &control::kConstantRow;
  node.role = NodeRole::kConstant;
  node.constant = std::move(value);
  return {add(scope, std::move(node)), 0};
}

std::uint32_t GraphReader::add_argument(NameScope& scope, std::string name) {
  Node node;
  node.name = std::move(name);
  node.op = "input";
  node.role = NodeRole::kInput;
  return add(scope, std::move(node));
}

void GraphReader::name_value(NameScope& scope, std::string_view name, Ref ref) {
  // An output that nobody reads may have no name.
  if (name.empty()) return;
  check(scope.values.emplace(std::string(name), ref).second, "two values have the name \"", name, "\"");
}

bool GraphReader::has(const NameScope& scope, std::string_view name) const {
  for (const NameScope* at = &scope; at; at = at->outer) {
    if (at->values.contains(std::string(name))) return true;
  }
  return false;
}

Ref GraphReader::find(NameScope& scope, std::string_view name) {
  const auto at = scope.values.find(std::string(name));
  if (at != scope.values.end()) return at->second;
  check(scope.outer && has(*scope.outer, name), "there is no value \"", name,
        "\", or it depends on the node that reads it");
  scope.captures.emplace_back(name);
  const Ref ref{add_argument(scope, std::string(name)), 0};
  scope.capture_arguments.push_back(ref.node);
  scope.values.emplace(name, ref);
  return ref;
}

Ref GraphReader::find_output(NameScope& scope, std::string_view name) {
  const Ref ref = find(scope, name);
  check(!ref.is_absent(), "the value \"", name, "\" is an input of a function that the call leaves out");
  return ref;
}

Ref GraphReader::find_input(NameScope& scope, const NodeProto& proto, std::size_t i) {
  if (i >= proto.inputs.size() || proto.inputs[i].empty()) return {Ref::kAbsent, 0};
  return find(scope, proto.inputs[i]);
}

std::int32_t GraphReader::find_opset(const NameScope& scope, std::string_view domain) const {
  const auto at = std::find_if(scope.opsets.begin(), scope.opsets.end(),
                               [&](const OpsetProto& opset) { return opset.domain == domain; });
  return at == scope.opsets.end() ? 1 : saturate(at->version);
}

}  // namespace tenure::onnx
