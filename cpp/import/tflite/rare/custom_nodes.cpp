// Custom ops that JavaScript runs.

#include "core/error.h"
#include "import/tflite/reader.h"

namespace tenure::tflite {

void GraphReader::read_custom(NameScope& scope, const OperatorDef& op, std::string_view name) {
  check(!op.outputs.empty(), "it has no outputs");
  Node node;
  // The name tells JavaScript which node it is.
  node.name = scope.names[static_cast<std::size_t>(op.outputs[0])];
  node.op = name;
  node.function = scope.function;
  node.is_custom = true;
  node.outputs = static_cast<std::uint32_t>(op.outputs.size());
  for (const std::int32_t input : op.inputs) {
    check(input >= 0, "a custom op of JavaScript has an input that is left out");
    node.inputs.push_back(find(scope, input, ValueForm::kReal));
  }
  count_text(op.custom_options.size());
  CustomNode info{node.name, scope.function, std::string(name), {}};
  info.options.assign(reinterpret_cast<const char*>(op.custom_options.data()), op.custom_options.size());
  import_.info.custom_nodes.push_back(std::move(info));
  const std::uint32_t index = add(scope, std::move(node));
  for (std::uint32_t i = 0; i < op.outputs.size(); ++i) set_result(scope, op.outputs[i], {index, i});
}

}  // namespace tenure::tflite
