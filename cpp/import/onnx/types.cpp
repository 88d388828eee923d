// Types of values that the engine has no type for. All integers are int32: what small ones wrap around or
// saturate at, whether results beyond int32 are errors, and which ops refuse unsigned ones beyond it. Small
// floats are float32: what they are rounded to.

#include <algorithm>

#include "import/onnx/rare_rows/small_types.h"
#include "import/onnx/reader.h"
#include "ops/ops.h"

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
    "BitwiseOr",
    "BitwiseXor",
    "CenterCropPad",
    "Clip",
    "Compress",
    "Concat",
    "ConcatFromSequence",
    "CumProd",
    "CumSum",
    "DepthToSpace",
    "Div",
    "Dropout",
    "Einsum",
    "Expand",
    "EyeLike",
    "Flatten",
    "Gather",
    "GatherElements",
    "GatherND",
    "Gemm",
    "Identity",
    "Max",
    "MatMul",
    "MaxPool",
    "Min",
    "Mod",
    "Mul",
    "Neg",
    "Optional",
    "OptionalGetElement",
    "PRelu",
    "Pad",
    "Pow",
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
    "ReduceSumSquare",
    "Range",
    "Relu",
    "Reshape",
    "Resize",
    "ReverseSequence",
    "Scatter",
    "ScatterElements",
    "ScatterND",
    "SequenceAt",
    "SequenceConstruct",
    "SequenceErase",
    "SequenceInsert",
    "Shrink",
    "Sign",
    "Slice",
    "SpaceToDepth",
    "Split",
    "SplitToSequence",
    "Squeeze",
    "Sub",
    "Sum",
    "TensorScatter",
    "Tile",
    "TopK",
    "Transpose",
    "Trilu",
    "Unique",
    "Unsqueeze",
    "Upsample",
};

/// Ops whose first output is int64.
constexpr std::string_view kInt64Result[] = {
    "ArgMax", "ArgMin", "NonMaxSuppression", "NonZero", "SequenceLength", "Shape", "Size",
};
/// Ops whose other outputs are int64.
constexpr std::string_view kInt64Positions[] = {"MaxPool", "StringSplit", "TopK", "Unique"};
/// Ops of which uint32 is compared as it is. Of uint64, they are as kMagnitudeOps.
constexpr std::string_view kComparisons[] = {
    "Clip", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Max", "Min",
};
/// Ops whose results depend on the order or the size of integers. Sums, products and bits of uint32 do not:
/// they are right in the lower 32 bits.
constexpr std::string_view kMagnitudeOps[] = {
    "ArgMax",    "ArgMin",     "Div",       "Mod",          "PRelu",
    "Pow",       "ReduceL1",   "ReduceL2",  "ReduceLogSum", "ReduceLogSumExp",
    "ReduceMax", "ReduceMean", "ReduceMin", "Shrink",       "Sign",
    "TopK",      "Unique",
};

bool contains(std::span<const std::string_view> ops, std::string_view op) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

/// Returns the type of a node's first output; kUndefined if it is not known.
ElementType infer(const NodeProto& proto, const Attributes& attrs, std::span<const ElementType> inputs) {
  const auto from_input = [&](std::size_t i) {
    return i < inputs.size() ? inputs[i] : ElementType::kUndefined;
  };
  const auto from_attribute = [&](std::string_view name) {
    return static_cast<ElementType>(attrs.integer(name, 0));
  };
  if (proto.op == "Cast" || proto.op == "BitCast") return from_attribute("to");
  if (proto.op == "SequenceEmpty" ||
      ((proto.op == "Bernoulli" || proto.op == "EyeLike") && attrs.has("dtype")))
    return from_attribute("dtype");
  if (proto.op == "ConstantOfShape") {
    const AttributeProto* value = find_attribute(proto.attributes, "value");
    return value && value->tensors.size() == 1 ? static_cast<ElementType>(value->tensors[0].type)
                                               : ElementType::kUndefined;
  }
  if (proto.op == "CastLike" || proto.op == "Where") return from_input(1);
  if (proto.op == "OneHot") return from_input(2);
  if (proto.op == "DynamicQuantizeLinear") return ElementType::kUint8;
  if (proto.op == "QLinearMatMul" || proto.op == "QLinearConv") return from_input(7);
  if (proto.op == "QGemm") return from_input(8);
  if (proto.op == "QLinearConcat" || proto.op == "QLinearWhere") return from_input(1);
  if (proto.op.starts_with("QLinear")) return from_input(0);
  if (proto.op == "QuantizeLinear") {
    if (from_input(2) != ElementType::kUndefined) return from_input(2);
    return attrs.has("output_dtype") ? from_attribute("output_dtype") : ElementType::kUint8;
  }
  if (contains(kInt64Result, proto.op)) return ElementType::kInt64;
  return contains(kSameType, proto.op) ? from_input(0) : ElementType::kUndefined;
}

/// Returns the type of an output after the first, whose type is `first`.
ElementType infer_other(const NodeProto& proto, std::size_t i, ElementType first) {
  if (proto.op == "Split") return first;
  // The zero point of a dynamic quantization.
  if (proto.op == "DynamicQuantizeLinear" && i == 2) return ElementType::kUint8;
  return contains(kInt64Positions, proto.op) ? ElementType::kInt64 : ElementType::kUndefined;
}

/// True if a cast between integers keeps the lower bits of those that int32 does not hold.
bool keeps_bits(ElementType from, ElementType to) {
  return to == ElementType::kInt32 || to == ElementType::kUint32 || to == ElementType::kBool ||
         get_range(to) || (from == ElementType::kUint64 && has_64_bits(to));
}

/// True if the result depends on more than the lower 32 bits of unsigned integers.
bool depends_on_magnitude(const NodeProto& proto, const Attributes& attrs,
                          std::span<const ElementType> types) {
  const bool is_uint32 = std::find(types.begin(), types.end(), ElementType::kUint32) != types.end();
  if (proto.op == "BitShift") return !is_uint32 && attrs.string("direction") == "RIGHT";
  if (proto.op == "Cast") return !keeps_bits(types[0], static_cast<ElementType>(attrs.integer("to", 0)));
  if (proto.op == "CastLike") return types.size() < 2 || !keeps_bits(types[0], types[1]);
  const std::string_view reduction = attrs.string("reduction");
  return (!is_uint32 && contains(kComparisons, proto.op)) || contains(kMagnitudeOps, proto.op) ||
         reduction == "max" || reduction == "min";
}

/// Returns unsigned integers. Those beyond int32, which are negative in the engine, are errors.
template <IntegerArithmetic kType>
Tensor checked_unsigned(const Call& call) {
  return checked_arithmetic(call[0], {.op = kType});
}

constexpr Row kUint32Row{"unsigned", checked_unsigned<IntegerArithmetic::kUint32>};
constexpr Row kUint64Row{"unsigned", checked_unsigned<IntegerArithmetic::kUint64>};

/// True if a value of a graph stands for one of a graph around it.
bool is_capture(const NameScope& scope, const Ref& ref) {
  return std::find(scope.capture_arguments.begin(), scope.capture_arguments.end(), ref.node) !=
         scope.capture_arguments.end();
}

}  // namespace

void GraphReader::set_type(NameScope& scope, std::string_view name, ElementType type) {
  const bool is_noted = has_64_bits(type) || is_unsigned(type) || get_range(type) || is_small_float(type);
  if (!name.empty() && is_noted) scope.types.insert_or_assign(std::string(name), type);
}

ElementType GraphReader::find_type(const NameScope& scope, std::string_view name) const {
  const std::string key(name);
  for (const NameScope* at = &scope; at; at = at->outer) {
    if (const auto found = at->types.find(key); found != at->types.end()) return found->second;
    // A value of this graph hides one of that name of the graphs around it.
    const auto own = at->values.find(key);
    if (own != at->values.end() && !is_capture(*at, own->second)) break;
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
  const ElementType first = infer(proto, node.attrs, inputs);
  for (std::size_t i = 0; i < proto.outputs.size(); ++i)
    set_type(scope, proto.outputs[i], i == 0 ? first : infer_other(proto, i, first));
  if (!has_types) return;
  node.attrs.add(std::move(value));
  check_unsigned_inputs(scope, proto, inputs, node);
}

void GraphReader::check_unsigned_inputs(NameScope& scope, const NodeProto& proto,
                                        std::span<const ElementType> types, Node& node) {
  if (std::none_of(types.begin(), types.end(), is_unsigned) ||
      !depends_on_magnitude(proto, node.attrs, types))
    return;
  for (std::size_t i = 0; i < types.size(); ++i) {
    // CastLike reads only the type of its second input.
    if (!is_unsigned(types[i]) || (i > 0 && proto.op == "CastLike")) continue;
    const Row& row = types[i] == ElementType::kUint64 ? kUint64Row : kUint32Row;
    node.inputs[i] = add_internal(scope, proto, row, {node.inputs[i]});
    scope.block->nodes[node.inputs[i].node].op = node.op;
  }
}

void GraphReader::declare_types(NameScope& scope, const GraphProto& graph) {
  for (const auto* list : {&graph.values, &graph.outputs, &graph.inputs}) {
    for (const ValueInfoProto& value : *list) {
      const auto type = static_cast<ElementType>(value.type);
      // Code that rounds to small floats is loaded only for nodes with such attributes.
      if (!is_small_float(type)) set_type(scope, value.name, type);
    }
  }
}

}  // namespace tenure::onnx
