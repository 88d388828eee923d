#include "import/onnx/load.h"

#include <algorithm>

#include "core/error.h"
#include "core/run/tape.h"
#include "import/onnx/model_proto.h"
#include "import/onnx/rare_rows/small_types.h"
#include "import/onnx/reader.h"
#include "import/onnx/row.h"

namespace tenure::onnx {
namespace {

ModelProto read_file(std::span<const std::byte> file) {
  try {
    ModelProto model = read_model_proto(file);
    check(model.graph.has_value(), "it has no graph");
    // Version 3 of the format introduced it. Before, all ops were of version 1.
    check(!model.opsets.empty() || model.ir_version < 3, "it has no opset_import, the versions of its ops");
    return model;
  } catch (const Error& error) {
    fail_with(error.code(), text("the file is not an ONNX model: ", error.what()));
  }
}

/// True if an attribute is the number of a small float, or may be: it refers to one of a function.
bool may_be_small_float(const NodeProto& node, std::string_view name) {
  const AttributeProto* type = find_attribute(node.attributes, name);
  if (!type) return false;
  if (!type->reference.empty()) return true;
  return !type->integers.empty() && is_small_float(static_cast<ElementType>(type->integers[0]));
}

/// True if a node of a common op is computed by code of rare_rows/: a Cast that rounds to small floats, and
/// Resize and Upsample with weights of pixels.
bool has_rare_attributes(const NodeProto& node) {
  if (node.op == "Cast") return may_be_small_float(node, "to");
  if (node.op == "QuantizeLinear") return may_be_small_float(node, "output_dtype");
  if (node.op != "Resize" && node.op != "Upsample") return false;
  const AttributeProto* mode = find_attribute(node.attributes, "mode");
  const AttributeProto* antialias = find_attribute(node.attributes, "antialias");
  const bool is_cubic =
      mode && (!mode->reference.empty() || (!mode->strings.empty() && mode->strings[0] == "cubic"));
  return is_cubic || (antialias && (antialias->integers.empty() || antialias->integers[0] != 0));
}

/// The parts of the engine that the nodes, types and tensors of a model need, and its tensors in other files.
class RequiredParts {
 public:
  explicit RequiredParts(const ModelProto& model) : model_(model) {
    for (const FunctionProto& function : model.functions) lists_.emplace_back(function.nodes);
    add_graph(*model.graph);
    // A worklist instead of recursion: graphs in a file may nest to any depth.
    while (!lists_.empty()) {
      const std::span<const NodeProto> nodes = lists_.back();
      lists_.pop_back();
      for (const NodeProto& node : nodes) add_node(node);
    }
    has_rare_ops = has_rare_ops || (has_cast_like_ && has_bfloat16_);
  }

  bool has_rare_ops = false;
  bool has_quantized_ops = false;
  bool has_transformer_ops = false;
  bool has_convolutions = false;
  bool has_halves = false;
  bool has_strings = false;
  bool has_caches = false;
  /// Initializers, those of inner graphs included, and constants.
  std::vector<const TensorProto*> external_tensors;

 private:
  void add_graph(const GraphProto& graph) {
    lists_.emplace_back(graph.nodes);
    has_caches = has_caches || may_return_cache(model_, graph);
    for (const TensorProto& tensor : graph.initializers) add_tensor(tensor);
    for (const ValueInfoProto& output : graph.outputs) add_value(output);
    for (const ValueInfoProto& input : graph.inputs) add_value(input);
  }

  void add_type(std::int32_t type) {
    has_halves = has_halves || static_cast<ElementType>(type) == ElementType::kFloat16;
    has_strings = has_strings || static_cast<ElementType>(type) == ElementType::kString;
    has_bfloat16_ = has_bfloat16_ || static_cast<ElementType>(type) == ElementType::kBfloat16;
    has_rare_ops = has_rare_ops || count_small_bits(static_cast<ElementType>(type)) > 0;
  }

  void add_value(const ValueInfoProto& value) {
    add_type(value.type);
    has_rare_ops = has_rare_ops || !value.container.empty();
  }

  void add_tensor(const TensorProto& tensor) {
    add_type(tensor.type);
    if (tensor.is_external) external_tensors.push_back(&tensor);
  }

  void add_node(const NodeProto& node) {
    const bool is_function =
        std::any_of(model_.functions.begin(), model_.functions.end(), [&](const FunctionProto& function) {
          return function.name == node.op && function.domain == node.domain;
        });
    if (!is_function) {
      const RowGroup group = find_group(node.domain, node.op);
      has_rare_ops = has_rare_ops || group == RowGroup::kRare || has_rare_attributes(node);
      has_quantized_ops = has_quantized_ops || group == RowGroup::kQuantized;
      has_transformer_ops = has_transformer_ops || group == RowGroup::kTransformer;
      has_cast_like_ = has_cast_like_ || node.op == "CastLike";
      has_convolutions = has_convolutions || node.op.find("Conv") != std::string_view::npos;
    }
    for (const AttributeProto& attribute : node.attributes) {
      for (const TensorProto& tensor : attribute.tensors) add_tensor(tensor);
      for (const GraphProto& graph : attribute.graphs) add_graph(graph);
    }
  }

  const ModelProto& model_;
  std::vector<std::span<const NodeProto>> lists_;
  /// A CastLike of a model with both rounds to bfloat16.
  bool has_cast_like_ = false;
  bool has_bfloat16_ = false;
};

std::vector<std::string_view> list_parts(const RequiredParts& required) {
  std::vector<std::string_view> parts;
  if (required.has_rare_ops) parts.emplace_back("onnx_rare");
  if (required.has_transformer_ops || required.has_caches) parts.emplace_back("onnx_transformer");
  if (required.has_quantized_ops) {
    parts.emplace_back("onnx_quant");
    parts.emplace_back("quant");
    if (required.has_convolutions) parts.emplace_back("quant_conv");
  }
  if (required.has_halves) parts.emplace_back("half");
  if (required.has_strings) parts.emplace_back("text");
  return parts;
}

}  // namespace

Requirements find_requirements(std::span<const std::byte> file) {
  const ModelProto model = read_file(file);
  const RequiredParts required(model);
  Requirements found{.parts = list_parts(required)};
  for (const TensorProto* tensor : required.external_tensors) {
    try {
      found.external.push_back(read_external_range(*tensor));
    } catch (const Error& error) {
      // Tensors of constants have no name.
      const std::string name =
          tensor->name.empty() ? "a constant" : text("the initializer \"", tensor->name, "\"");
      fail_with(error.code(), text(name, ": ", error.what()));
    }
  }
  return found;
}

GraphModel load_model(std::span<const std::byte> file, const LoadOptions& options) {
  const TapePause no_tape;
  const ModelProto model = read_file(file);
  Import import = read_model(model, options);
  return {std::move(import.weights), std::move(import.definition), std::move(import.outputs)};
}

}  // namespace tenure::onnx
