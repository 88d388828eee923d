// Types of values that the engine has no type for. Small integers and those of 64 bits are int32: what they
// wrap around or saturate at, and whether results beyond int32 are errors. Small floats are float32: what
// they are rounded to.

#include <algorithm>

#include "import/onnx/rare_rows/small_types.h"
#include "import/onnx/reader.h"

namespace tenure::onnx {
namespace {

/// Ops whose first output has the type of their first input.
constexpr std::string_view kSameType[] = {
    "Abs",
    "Add",
    "AveragePool",
    "BitShift",
    "BitwiseAnd",
    "BitwiseNot",
    "Clip",
    "Compress",
    "Concat",
    "CumSum",
    "DepthToSpace",
    "Div",
    "Expand",
    "Flatten",
    "Gather",
    "GatherElements",
    "GatherND",
    "Identity",
    "Max",
    "MatMul",
    "MaxPool",
    "Min",
    "Mod",
    "Mul",
    "Neg",
    "Pad",
    "ReduceMax",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
    "Range",
    "Relu",
    "Reshape",
    "Resize",
    "ReverseSequence",
    "ScatterElements",
    "ScatterND",
    "Sign",
    "Slice",
    "SpaceToDepth",
    "Split",
    "Squeeze",
    "Sub",
    "Sum",
    "Tile",
    "TopK",
    "Transpose",
    "Unsqueeze",
};

/// Ops whose first output is int64.
constexpr std::string_view kInt64Result[] = {"ArgMax", "ArgMin", "NonZero", "Shape", "Size"};

/// Returns the type of a node's first output; kUndefined if it is not known.
ElementType infer(const NodeProto& proto, const Attributes& attrs, std::span<const ElementType> inputs) {
  const auto from_input = [&](std::size_t i) {
    return i < inputs.size() ? inputs[i] : ElementType::kUndefined;
  };
  const auto from_attribute = [&](std::string_view name) {
    return static_cast<ElementType>(attrs.integer(name, 0));
  };
  if (proto.op == "Cast" || proto.op == "BitCast") return from_attribute("to");
  if (proto.op == "CastLike" || proto.op == "Where") return from_input(1);
  if (proto.op == "DynamicQuantizeLinear") return ElementType::kUint8;
  if (proto.op == "QLinearMatMul" || proto.op == "QLinearConv") return from_input(7);
  if (proto.op == "QGemm") return from_input(8);
  if (proto.op == "QLinearConcat" || proto.op == "QLinearWhere") return from_input(1);
  if (proto.op.starts_with("QLinear")) return from_input(0);
  if (proto.op == "QuantizeLinear") {
    if (from_input(2) != ElementType::kUndefined) return from_input(2);
    return attrs.has("output_dtype") ? from_attribute("output_dtype") : ElementType::kUint8;
  }
  const auto is_in = [&](std::span<const std::string_view> ops) {
    return std::find(ops.begin(), ops.end(), proto.op) != ops.end();
  };
  if (is_in(kInt64Result)) return ElementType::kInt64;
  return is_in(kSameType) ? from_input(0) : ElementType::kUndefined;
}

}  // namespace

void GraphReader::set_type(NameScope& scope, std::string_view name, ElementType type) {
  const bool is_noted = has_64_bits(type) || get_range(type) || is_small_float(type);
  if (!name.empty() && is_noted) scope.types.insert_or_assign(std::string(name), type);
}

ElementType GraphReader::find_type(const NameScope& scope, std::string_view name) const {
  for (const NameScope* at = &scope; at; at = at->outer) {
    if (const auto found = at->types.find(std::string(name)); found != at->types.end()) return found->second;
  }
  return ElementType::kUndefined;
}

void GraphReader::infer_types(NameScope& scope, const NodeProto& proto, Node& node) {
  std::vector<ElementType> inputs;
  Attributes::Value value{.name = std::string(kInputTypes)};
  for (const std::string_view name : proto.inputs) {
    inputs.push_back(name.empty() ? ElementType::kUndefined : find_type(scope, name));
    value.numbers.push_back(static_cast<double>(inputs.back()));
  }
  const bool has_types = std::any_of(inputs.begin(), inputs.end(),
                                     [](ElementType type) { return type != ElementType::kUndefined; });
  if (!proto.outputs.empty()) set_type(scope, proto.outputs[0], infer(proto, node.attrs, inputs));
  // The zero point of a dynamic quantization.
  if (proto.op == "DynamicQuantizeLinear" && proto.outputs.size() > 2)
    set_type(scope, proto.outputs[2], ElementType::kUint8);
  if (has_types) node.attrs.add(std::move(value));
}

}  // namespace tenure::onnx
