// Variables: tensors that keep their values between runs, and those that nodes refer to by handles. Their
// values are inputs and outputs of the main graph, which the caller passes from run to run.

#include <algorithm>

#include "core/error.h"
#include "import/tflite/reader.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

/// Throws unless the values of `def` have the type and scale of those that the variable has.
void check_stored(Variable& variable, const TensorDef& def) {
  if (!variable.stored) variable.stored = &def;
  check(has_same_values(def, *variable.stored), "its values have another type or scale than others of \"",
        variable.name, "\"");
}

}  // namespace

void GraphReader::check_inputs(const OperatorDef& op, std::size_t inputs, std::size_t outputs) {
  check(op.inputs.size() == inputs && op.outputs.size() == outputs, "it has ", op.inputs.size(),
        " inputs and ", op.outputs.size(), " outputs, expected ", inputs, " and ", outputs);
  for (std::size_t i = 0; i < inputs; ++i) check(op.inputs[i] >= 0, "input ", i, " is left out");
}

void GraphReader::read_state(NameScope& scope, std::int32_t tensor, int input, Attributes& attrs) {
  const TensorDef& def = get_tensor(scope, tensor);
  if (is_quantized(def)) {
    const auto [lowest, highest] = get_range(def.type);
    const double zero = zero_point(def.quantization);
    Attributes::Value value{.name = text(kStatePrefix, input)};
    value.numbers = {def.quantization.scales[0], lowest - zero, highest - zero};
    attrs.add(std::move(value));
  }
  if (!scope.values[static_cast<std::size_t>(tensor)].is_absent()) return;
  const std::string& name = scope.names[static_cast<std::size_t>(tensor)];
  check(def.is_variable, "its state \"", name, "\" is not a variable");
  check(scope.function.empty(), "variables are supported in the main graph only");
  to_shape(def.shape);
  const std::uint32_t index = add_argument(scope, tensor);
  scope.block.nodes[index].attrs = describe_port(def, is_quantized(def));
  insert_name(scope.block.names, name, {index, 0});
  scope.values[static_cast<std::size_t>(tensor)] = {index, 0};
  scope.states.push_back(tensor);
}

void GraphReader::write_states(NameScope& scope) {
  const auto write = [&](StateInfo state, Ref next) {
    insert_name(scope.block.names, state.next, next);
    import_.outputs.push_back({state.next, state.shape, state.dtype});
    import_.info.states.push_back(std::move(state));
  };
  for (const std::int32_t tensor : scope.states) {
    const std::string& name = scope.names[static_cast<std::size_t>(tensor)];
    const TensorDef& def = get_tensor(scope, tensor);
    const DType dtype = is_quantized(def) ? DType::kFloat32 : to_dtype(def.type).value_or(DType::kFloat32);
    StateInfo state{name, text("next ", name), to_shape(def.shape), dtype};
    const std::int32_t zero = is_quantized(def) ? zero_point(def.quantization) : 0;
    // LiteRT fills an int8 variable with its zero point, and others with zeros.
    if (zero != 0 && def.type != ElementType::kInt8) {
      const Tensor first = fill({.shape = state.shape, .value = static_cast<float>(-zero)});
      state.initial = scope.block.nodes[add_constant(scope, name, first).node].name;
    }
    write(std::move(state), scope.values[static_cast<std::size_t>(tensor)]);
  }
  for (const Variable& variable : variables_) {
    if (variable.value.is_absent()) continue;
    write({variable.name, text("next ", variable.name), variable.shape, variable.dtype, variable.initial},
          variable.value);
  }
}

std::int32_t GraphReader::add_variable(std::string name) {
  const auto at = std::find_if(variables_.begin(), variables_.end(),
                               [&](const Variable& one) { return one.name == name; });
  if (at != variables_.end()) return static_cast<std::int32_t>(at - variables_.begin());
  variables_.push_back({.name = std::move(name)});
  return static_cast<std::int32_t>(variables_.size()) - 1;
}

Variable& GraphReader::find_variable(const NameScope& scope, const OperatorDef& op, bool is_table) {
  const std::int32_t number = scope.handles[static_cast<std::size_t>(op.inputs[0])];
  check(number >= 0 && variables_[static_cast<std::size_t>(number)].table.has_value() == is_table,
        "its input is not a handle of a ", is_table ? "hash table" : "variable");
  return variables_[static_cast<std::size_t>(number)];
}

void GraphReader::read_handle_op(NameScope& scope, const OperatorDef& op, std::int32_t code) {
  check(scope.function.empty(), "variables and hash tables are supported in the main graph only");
  if (code >= kHashTable && code <= kHashTableSize) return read_table_op(scope, op, code);
  if (code == kCallOnce) return initialize_variables(op.options ? op.options->number<std::int32_t>(0) : 0);
  if (code == kVarHandle) {
    check_inputs(op, 0, 1);
    scope.handles[static_cast<std::size_t>(op.outputs[0])] =
        add_variable(op.options ? text("variable ", op.options->text(0), "/", op.options->text(1))
                                : std::string("variable"));
    return;
  }
  const bool is_read = code == kReadVariable;
  check_inputs(op, is_read ? 1 : 2, is_read ? 1 : 0);
  Variable& variable = find_variable(scope, op);
  const std::int32_t tensor = is_read ? op.outputs[0] : op.inputs[1];
  const TensorDef& def = get_tensor(scope, tensor);
  check_stored(variable, def);
  if (variable.value.is_absent()) {
    // Also of a variable that is first written: the caller passes what it gets.
    const bool is_quantized = tflite::is_quantized(def);
    const std::uint32_t index = add_argument(scope, tensor);
    scope.block.nodes[index].name = variable.name;
    scope.block.nodes[index].attrs = describe_port(def, is_quantized);
    insert_name(scope.block.names, variable.name, {index, 0});
    variable.value = {index, 0};
    variable.shape = to_shape(def.shape);
    variable.dtype = is_quantized ? DType::kFloat32 : to_dtype(def.type).value_or(DType::kFloat32);
  }
  if (is_read) {
    scope.values[static_cast<std::size_t>(tensor)] = variable.value;
  } else {
    variable.value = find(scope, tensor, ValueForm::kGraph);
  }
}

void GraphReader::initialize_variables(std::int32_t subgraph) {
  check(subgraph >= 0 && static_cast<std::size_t>(subgraph) < model_.subgraphs.size(), "it calls subgraph ",
        subgraph, " of ", model_.subgraphs.size());
  Block block;
  NameScope scope = open(static_cast<std::uint32_t>(subgraph), block, "");
  for (const OperatorDef& op : scope.graph.operators) {
    const std::int32_t code = model_.codes[op.code].builtin;
    if (code == kVarHandle || code == kHashTable || code == kHashTableImport) {
      read_handle_op(scope, op, code);
      continue;
    }
    check(code == kAssignVariable, "it initializes variables with ", describe(op),
          ", which is not supported");
    check_inputs(op, 2, 0);
    Variable& variable = find_variable(scope, op);
    check_stored(variable, get_tensor(scope, op.inputs[1]));
    check(is_constant(scope, op.inputs[1]), "it initializes a variable with a value that is not a constant");
    const Ref constant = find_constant(scope, op.inputs[1], ValueForm::kGraph, Filter::kNone);
    variable.initial = block.nodes[constant.node].name;
  }
}

}  // namespace tenure::tflite
