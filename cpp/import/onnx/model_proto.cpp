#include "import/onnx/model_proto.h"

#include "core/error.h"
#include "import/onnx/wire.h"

namespace tenure::onnx {
namespace {

// Graphs within attributes of graphs; exporters nest a few.
constexpr int kMaxDepth = 32;

/// Returns a domain's usual spelling: "ai.onnx" is also written as nothing.
std::string_view normalize_domain(std::string_view domain) { return domain == "ai.onnx" ? "" : domain; }

TensorProto read_tensor(Message message) {
  TensorProto tensor;
  while (message.next()) {
    switch (message.field()) {
      case 1: message.append_integers(tensor.dims); break;
      case 2: tensor.type = message.int32(); break;
      case 4: message.append_floats(tensor.floats); break;
      case 5:
      case 7:
      case 11: message.append_integers(tensor.integers); break;
      case 6: tensor.strings.push_back(message.text()); break;
      case 8: tensor.name = message.text(); break;
      case 9: tensor.raw = message.bytes(); break;
      case 10: message.append_doubles(tensor.doubles); break;
      case 13: {
        Message entry = message.message();
        auto& [key, value] = tensor.external.emplace_back();
        while (entry.next()) {
          if (entry.field() == 1) key = entry.text();
          if (entry.field() == 2) value = entry.text();
        }
        break;
      }
      case 14: tensor.is_external = message.integer() == 1; break;
      default: break;
    }
  }
  return tensor;
}

GraphProto read_graph(Message message, int depth);

AttributeProto read_attribute(Message message, int depth) {
  AttributeProto attribute;
  while (message.next()) {
    switch (message.field()) {
      case 1: attribute.name = message.text(); break;
      case 2: attribute.floats.push_back(message.number()); break;
      case 3: attribute.integers.push_back(message.integer()); break;
      case 4:
      case 9: attribute.strings.push_back(message.text()); break;
      case 5:
      case 10: attribute.tensors.push_back(read_tensor(message.message())); break;
      case 6:
      case 11: attribute.graphs.push_back(read_graph(message.message(), depth + 1)); break;
      case 7: message.append_floats(attribute.floats); break;
      case 8: message.append_integers(attribute.integers); break;
      case 20: attribute.type = message.int32(); break;
      case 21: attribute.reference = message.text(); break;
      default: break;
    }
  }
  check(!attribute.name.empty(), "an attribute has no name");
  return attribute;
}

NodeProto read_node(Message message, int depth) {
  NodeProto node;
  while (message.next()) {
    switch (message.field()) {
      case 1: node.inputs.push_back(message.text()); break;
      case 2: node.outputs.push_back(message.text()); break;
      case 3: node.name = message.text(); break;
      case 4: node.op = message.text(); break;
      case 5: node.attributes.push_back(read_attribute(message.message(), depth)); break;
      case 7: node.domain = normalize_domain(message.text()); break;
      default: break;
    }
  }
  return node;
}

std::vector<DimensionProto> read_shape(Message message) {
  std::vector<DimensionProto> shape;
  while (message.next()) {
    if (message.field() != 1) continue;
    Message dimension = message.message();
    DimensionProto& read = shape.emplace_back();
    while (dimension.next()) {
      if (dimension.field() == 1) read.extent = dimension.integer();
      if (dimension.field() == 2) read.symbol = dimension.text();
    }
  }
  return shape;
}

void read_tensor_type(ValueInfoProto& info, Message tensor) {
  while (tensor.next()) {
    if (tensor.field() == 1) info.type = tensor.int32();
    if (tensor.field() == 2) info.shape = read_shape(tensor.message());
  }
}

/// Reads a type: of a tensor, or of a container of tensors whose type is inside.
void read_type(ValueInfoProto& info, Message type) {
  constexpr std::uint32_t kTensor = 1;
  constexpr std::uint32_t kSequence = 4;
  constexpr std::uint32_t kDenotation = 6;
  constexpr std::uint32_t kOptional = 9;
  while (type.next()) {
    if (type.field() == kDenotation) continue;
    const bool is_sequence = type.field() == kSequence;
    if (type.field() == kTensor) {
      read_tensor_type(info, type.message());
      continue;
    }
    // A sequence has tensors, and an optional tensors or a sequence.
    info.is_supported = is_sequence ? info.container.empty() || info.container == "optional"
                                    : type.field() == kOptional && info.container.empty();
    if (!info.is_supported) return;
    if (!is_sequence) info.container = "optional";
    if (is_sequence) info.container = info.container.empty() ? "sequence" : "optional sequence";
    Message element = type.message();
    while (element.next()) {
      if (element.field() == 1) read_type(info, element.message());
      if (!info.is_supported) return;
    }
  }
}

ValueInfoProto read_value_info(Message message) {
  ValueInfoProto info;
  while (message.next()) {
    if (message.field() == 1) info.name = message.text();
    if (message.field() == 2) read_type(info, message.message());
  }
  return info;
}

GraphProto read_graph(Message message, int depth) {
  check(depth < kMaxDepth, "graphs are nested too deep, more than ", kMaxDepth, " levels");
  GraphProto graph;
  while (message.next()) {
    switch (message.field()) {
      case 1: graph.nodes.push_back(read_node(message.message(), depth)); break;
      case 2: graph.name = message.text(); break;
      case 5: graph.initializers.push_back(read_tensor(message.message())); break;
      case 11: graph.inputs.push_back(read_value_info(message.message())); break;
      case 12: graph.outputs.push_back(read_value_info(message.message())); break;
      case 13:
        graph.values.push_back(read_value_info(message.message()));
        graph.values.back().shape.reset();
        break;
      case 15: graph.has_sparse_initializers = true; break;
      default: break;
    }
  }
  return graph;
}

OpsetProto read_opset(Message message) {
  OpsetProto opset;
  while (message.next()) {
    if (message.field() == 1) opset.domain = normalize_domain(message.text());
    if (message.field() == 2) opset.version = message.integer();
  }
  // Versions of other domains select nothing, and some exporters leave them out.
  const bool is_standard = opset.domain.empty() || opset.domain.starts_with("ai.onnx");
  check(opset.version >= 1 || !is_standard, "it imports version ", opset.version, " of the op set \"",
        opset.domain.empty() ? "ai.onnx" : opset.domain, "\", and versions begin at 1");
  return opset;
}

FunctionProto read_function(Message message) {
  FunctionProto function;
  while (message.next()) {
    switch (message.field()) {
      case 1: function.name = message.text(); break;
      case 4: function.inputs.push_back(message.text()); break;
      case 5: function.outputs.push_back(message.text()); break;
      case 7: function.nodes.push_back(read_node(message.message(), 0)); break;
      case 9: function.opsets.push_back(read_opset(message.message())); break;
      case 10: function.domain = normalize_domain(message.text()); break;
      case 11: function.defaults.push_back(read_attribute(message.message(), 0)); break;
      default: break;
    }
  }
  return function;
}

}  // namespace

const AttributeProto* find_attribute(std::span<const AttributeProto> attributes, std::string_view name) {
  for (const AttributeProto& attribute : attributes) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

TensorProto read_tensor_proto(std::span<const std::byte> bytes) { return read_tensor(Message(bytes)); }

ModelProto read_model_proto(std::span<const std::byte> file) {
  ModelProto model;
  Message message(file);
  while (message.next()) {
    switch (message.field()) {
      case 1: model.ir_version = message.integer(); break;
      case 7: model.graph = read_graph(message.message(), 0); break;
      case 8: model.opsets.push_back(read_opset(message.message())); break;
      case 25: model.functions.push_back(read_function(message.message())); break;
      default: break;
    }
  }
  return model;
}

}  // namespace tenure::onnx
