#include "core/run/op_traits.h"
#include "model/passes/passes.h"

namespace tenure::passes {
namespace {

bool is_zero_border(const PadAttrs& attrs) {
  return attrs.value == 0 && attrs.before.rank == 4 && attrs.before[0] == 0 && attrs.after[0] == 0 &&
         attrs.before[3] == 0 && attrs.after[3] == 0;
}

}  // namespace

void fold_padding(Graph& graph) {
  const Uses uses(graph);
  for (GraphNode& node : graph.nodes) {
    if (!op_traits(node.op).folds_zero_padding) continue;
    const std::int32_t producer = uses.producer[node.inputs[0]];
    if (producer == Uses::kNone) continue;
    const GraphNode& pad = graph.nodes[static_cast<std::size_t>(producer)];
    if (pad.op != Op::pad) continue;
    const PadAttrs border = pad.attrs_as<PadAttrs>();
    ConvAttrs attrs = node.attrs_as<ConvAttrs>();
    if (!is_zero_border(border) || attrs.padding == Padding::kSame) continue;
    attrs.padding = Padding::kExplicit;
    attrs.pad_top += border.before[1];
    attrs.pad_bottom += border.after[1];
    attrs.pad_left += border.before[2];
    attrs.pad_right += border.after[2];
    node.set_attrs(attrs);
    node.inputs[0] = pad.inputs[0];
  }
}

}  // namespace tenure::passes
