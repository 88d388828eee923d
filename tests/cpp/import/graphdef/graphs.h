#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "import/graphdef/load.h"
#include "model/models.h"

/// Small graphs made in tests, as JSON.
namespace tenure::test {

struct GraphNode {
  std::string name;
  std::string op;
  std::vector<std::string> inputs;
  std::string attrs;  ///< members of "attr"
};

inline std::string nodes_json(const std::vector<GraphNode>& nodes) {
  std::string list;
  for (const GraphNode& node : nodes) {
    std::string inputs;
    for (const std::string& input : node.inputs) inputs += (inputs.empty() ? "\"" : ",\"") + input + "\"";
    list += text(list.empty() ? "" : ",", R"({"name":")", node.name, R"(","op":")", node.op, R"(","input":[)",
                 inputs, R"(],"attr":{)", node.attrs, "}}");
  }
  return "[" + list + "]";
}

/// Returns a library function as JSON. `ret` are the members of "ret".
inline std::string function_json(const std::string& name, const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& results, const std::vector<GraphNode>& nodes,
                                 const std::string& ret) {
  const auto args_json = [](const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& arg : names)
      list += (list.empty() ? "" : ",") + text(R"({"name":")", arg, R"(","type":"DT_FLOAT"})");
    return list;
  };
  return text(R"({"signature":{"name":")", name, R"(","inputArg":[)", args_json(arguments),
              R"(],"outputArg":[)", args_json(results), R"(]},"nodeDef":)", nodes_json(nodes), R"(,"ret":{)",
              ret, "}}");
}

inline GraphModel load_graph(const std::vector<GraphNode>& nodes, const std::vector<TestWeight>& weights = {},
                             const std::string& functions = "") {
  return graphdef::load_model(
      text(R"({"node":)", nodes_json(nodes), R"(,"library":{"function":[)", functions, "]}}"),
      weight_specs_json(weights), weight_bytes(weights));
}

inline Tensors run_graph(GraphModel& model, const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs, const Tensors& tensors) {
  return model.run(model.compile(inputs, outputs), tensors);
}

inline const std::string kFloat = R"("dtype":{"type":"DT_FLOAT"})";

inline GraphNode placeholder(const std::string& name, const std::string& attrs = "") {
  return {name, "Placeholder", {}, attrs};
}
inline GraphNode constant(const std::string& name) { return {name, "Const", {}, ""}; }

inline TestWeight ints(const std::string& name, std::initializer_list<std::int32_t> values) {
  return {name, Tensor::from(values, {static_cast<std::int32_t>(values.size())})};
}
inline TestWeight scalar(const std::string& name, std::int32_t value) {
  return {name, Tensor::scalar(value)};
}
inline TestWeight scalar(const std::string& name, float value) { return {name, Tensor::scalar(value)}; }

/// Returns the nodes of a loop of TensorFlow's v1 control flow: x doubles and i counts while i < n.
inline std::vector<GraphNode> doubling_loop() {
  const std::string frame = R"("frame_name":{"s":"bG9vcA=="})";
  return {placeholder("x"),
          placeholder("n"),
          constant("zero"),
          constant("one"),
          constant("two"),
          {"enter_i", "Enter", {"zero"}, frame},
          {"enter_x", "Enter", {"x"}, frame},
          {"enter_n", "Enter", {"n"}, frame + R"(,"is_constant":{"b":true})"},
          {"merge_i", "Merge", {"enter_i", "next_i"}, ""},
          {"merge_x", "Merge", {"enter_x", "next_x"}, ""},
          {"less", "Less", {"merge_i", "enter_n"}, ""},
          {"cond", "LoopCond", {"less"}, ""},
          {"switch_i", "Switch", {"merge_i", "cond"}, ""},
          {"switch_x", "Switch", {"merge_x", "cond"}, ""},
          {"body_i", "Identity", {"switch_i:1"}, ""},
          {"add", "AddV2", {"body_i", "one"}, ""},
          {"mul", "Mul", {"switch_x:1", "two"}, ""},
          {"next_i", "NextIteration", {"add"}, ""},
          {"next_x", "NextIteration", {"mul"}, ""},
          {"exit_x", "Exit", {"switch_x"}, ""},
          {"y", "Identity", {"exit_x"}, ""}};
}
inline std::vector<TestWeight> doubling_weights() {
  return {scalar("zero", 0), scalar("one", 1), scalar("two", 2.0F)};
}

}  // namespace tenure::test
