// Scan of opset 8, whose inputs have a batch axis, becomes a Scan of opset 9 over the batch, with a body that
// scans one sequence.

#include "core/error.h"
#include "import/onnx/reader.h"

namespace tenure::onnx {
namespace {

AttributeProto integers_attribute(std::string_view name, std::vector<std::int64_t> values) {
  AttributeProto attribute;
  attribute.name = name;
  attribute.integers = std::move(values);
  return attribute;
}

}  // namespace

bool is_batched_scan(const NodeProto& proto) { return !find_attribute(proto.attributes, kScanAxes); }

NodeProto unbatch_scan(const NodeProto& proto, const GraphProto& graph, std::deque<std::string>& names) {
  const AttributeProto* number = find_attribute(proto.attributes, kScanInputs);
  const AttributeProto* directions = find_attribute(proto.attributes, "directions");
  check(!proto.inputs.empty() && proto.inputs[0].empty(),
        "sequences of different lengths (the input sequence_lens) are not supported");
  check(number && number->integers.size() == 1 && number->integers[0] >= 1 &&
            static_cast<std::uint64_t>(number->integers[0]) < proto.inputs.size() &&
            graph.inputs.size() == proto.inputs.size() - 1,
        "attribute \"num_scan_inputs\" does not fit its ", proto.inputs.size(), " inputs");
  const auto scanned = static_cast<std::size_t>(number->integers[0]);
  const std::size_t carried = graph.inputs.size() - scanned;

  NodeProto inner;
  inner.name = proto.name;
  inner.op = proto.op;
  GraphProto body;
  body.name = graph.name;
  body.inputs = graph.inputs;
  for (const ValueInfoProto& input : graph.inputs) inner.inputs.push_back(input.name);
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    ValueInfoProto output = graph.outputs[i];
    output.name = names.emplace_back(text("output ", i, " of ", proto.name));
    if (i >= carried && output.shape) output.shape->insert(output.shape->begin(), DimensionProto());
    inner.outputs.push_back(output.name);
    body.outputs.push_back(std::move(output));
  }
  AttributeProto inner_body;
  inner_body.name = "body";
  inner_body.graphs = {graph};
  inner.attributes = {std::move(inner_body), *number, integers_attribute(kScanAxes, {}),
                      integers_attribute("scan_input_directions",
                                         directions ? directions->integers : std::vector<std::int64_t>())};
  body.nodes.push_back(std::move(inner));

  NodeProto outer;
  outer.name = proto.name;
  outer.op = proto.op;
  outer.inputs.assign(proto.inputs.begin() + 1, proto.inputs.end());
  outer.outputs = proto.outputs;
  AttributeProto outer_body;
  outer_body.name = "body";
  outer_body.graphs.push_back(std::move(body));
  outer.attributes = {std::move(outer_body),
                      integers_attribute(kScanInputs, {static_cast<std::int64_t>(graph.inputs.size())}),
                      integers_attribute(kScanAxes, {})};
  return outer;
}

}  // namespace tenure::onnx
