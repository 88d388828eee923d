#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "core/run/fault_injection.h"
#include "core/run/tape.h"
#include "import/graphdef/graphs.h"
#include "ops/autodiff/backward.h"
#include "ops/ops.h"

using namespace tenure;
using namespace tenure::test;

namespace {

const std::vector<GraphNode> kShapes = {
    placeholder("x"),
    {"shape", "Shape", {"x"}, ""},
    constant("begin"),
    constant("end"),
    constant("step"),
    constant("rest"),
    {"batch", "StridedSlice", {"shape", "begin", "end", "step"}, R"("shrink_axis_mask":{"i":"1"})"},
    {"packed", "Pack", {"batch", "rest"}, R"("axis":{"i":"0"},"N":{"i":"2"})"},
    {"flat", "Reshape", {"x", "packed"}, ""},
    {"y", "Relu", {"flat"}, ""}};
const std::vector<TestWeight> kShapesWeights = {ints("begin", {0}), ints("end", {1}), ints("step", {1}),
                                                scalar("rest", -1)};

std::vector<float> run_floats(GraphModel& model, const std::vector<std::string>& inputs,
                              const std::string& output, const Tensors& given) {
  return floats(run_graph(model, inputs, {output}, given).at(0));
}

}  // namespace

TEST_CASE("Shapes that are computed fold for the inputs' shapes", "[model][graphdef]") {
  GraphModel model = load_graph(kShapes, kShapesWeights);
  for (const std::int32_t batch : {1, 3}) {
    const Tensor x = random_values({batch, 2, 2});
    const Tensors y = run_graph(model, {"x"}, {"y"}, {x});
    CHECK(dims(y[0].shape()) == std::vector<int>{batch, 4});
    CHECK(floats(y[0]) == floats(relu(x)));
  }
}

TEST_CASE("Shapes that change at each run are planned only when they come back", "[model][graphdef]") {
  GraphModel model = load_graph(kShapes, kShapesWeights);
  const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"});
  const auto run = [&](std::int32_t batch) {
    const Tensor x = random_values({batch, 2, 2});
    CHECK(floats(model.run(program, Tensors{x}).at(0)) == floats(relu(x)));
  };
  for (std::int32_t batch = 1; batch <= 20; ++batch) run(batch);
  CHECK(model.plan_count() == 2);
  run(20);
  CHECK(model.plan_count() == 3);
  run(21);
  CHECK(model.plan_count() == 3);
  // Its last run is too long ago.
  run(3);
  CHECK(model.plan_count() == 3);
  run(20);
  run(22);
  CHECK(model.plan_count() == 4);
}

TEST_CASE("A run without a plan names the node that fails, and the next run is right", "[model][graphdef]") {
  GraphModel model = load_graph({placeholder("x"), constant("shape"), {"y", "Reshape", {"x", "shape"}, ""}},
                                {ints("shape", {-1, 4})});
  const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"});
  const auto run = [&](std::int32_t size) {
    return dims(model.run(program, Tensors{random_values({size})}).at(0).shape());
  };
  for (const std::int32_t size : {4, 8, 12}) CHECK(run(size) == std::vector<int>{size / 4, 4});
  CHECK_THROWS_WITH(run(6), Catch::Matchers::ContainsSubstring("in the node \"y\""));
  CHECK(run(16) == std::vector<int>{4, 4});
  CHECK(model.plan_count() == 2);
}

TEST_CASE("An If without a condition that waits for another node is an error", "[model][graphdef][hostile]") {
  GraphModel model = load_graph({placeholder("x"),
                                 placeholder("shape", R"("dtype":{"type":"DT_INT32"})"),
                                 {"flat", "Reshape", {"x", "shape"}, ""},
                                 {"y", "If", {"^flat"}, ""}},
                                {});
  for (int i = 0; i < 2; ++i) {
    CHECK_THROWS_WITH(run_graph(model, {"x", "shape"}, {"y"}, {random_values({4}), Tensor::scalar(4)}),
                      Catch::Matchers::ContainsSubstring("in the node \"y\""));
  }
}

TEST_CASE("Any node can be asked for, and any be given", "[model][graphdef]") {
  GraphModel model = load_graph(kShapes, kShapesWeights);
  const Tensor x = random_values({2, 3});
  const Tensors got = run_graph(model, {"x"}, {"packed", "x", "begin", "y", "y:0"}, {x});
  CHECK(got[0].values<std::int32_t>()[0] == 2);
  CHECK(floats(got[1]) == floats(x));
  CHECK(got[2].values<std::int32_t>()[0] == 0);
  CHECK(floats(got[3]) == floats(got[4]));
  CHECK(floats(run_graph(model, {"flat"}, {"y"}, {x})[0]) == floats(relu(x)));
  CHECK_THROWS_WITH(
      model.compile({}, std::vector<std::string>{"y"}),
      "Cannot compute the outputs [y] from the provided inputs []. Missing the following inputs: [x]");
  CHECK_THROWS_WITH(model.compile(std::vector<std::string>{"q"}, std::vector<std::string>{"y"}),
                    "The dict provided in model.execute(dict) has keys: [q] that are not part of graph");
  CHECK_THROWS_WITH(model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"q:1"}),
                    "The output 'q:1' is not found in the graph");
  CHECK_THROWS_AS(run_graph(model, {"x"}, {"y:1"}, {x}), Error);
}

TEST_CASE("Inputs must have their placeholders' shapes and types", "[model][graphdef]") {
  GraphModel model =
      load_graph({placeholder("x", kFloat + R"(,"shape":{"shape":{"dim":[{"size":"-1"},{"size":2}]}})"),
                  {"y", "Neg", {"x"}, ""}});
  CHECK(run_floats(model, {"x"}, "y", {Tensor::from({1.0F, 2.0F}, {1, 2})}) == std::vector<float>{-1, -2});
  CHECK_THROWS_WITH(run_graph(model, {"x"}, {"y"}, {random_values({2, 3})}),
                    "The shape of dict['x'] provided in model.execute(dict) must be [-1,2], but was [2,3]");
  CHECK_THROWS_WITH(run_graph(model, {"x"}, {"y"}, {Tensor::from({1, 2}, {1, 2})}),
                    "The dtype of dict['x'] provided in model.execute(dict) must be float32, but was int32");
}

TEST_CASE("A loop of the first control flow runs, traced or not", "[model][graphdef]") {
  GraphModel model = load_graph(doubling_loop(), doubling_weights());
  const Tensor x = Tensor::from({1.0F, -3.0F}, {2});
  for (const std::int32_t n : {0, 1, 5}) {
    const auto factor = static_cast<float>(1 << n);
    const std::vector<float> expected = {factor, -3 * factor};
    CHECK(run_floats(model, {"x", "n"}, "y", {x, Tensor::scalar(n)}) == expected);
    CHECK(run_floats(model, {"x", "n"}, "exit_x", {x, Tensor::scalar(n)}) == expected);
  }
  // With a constant count the loop is unrolled into the plan.
  std::vector<GraphNode> known = doubling_loop();
  known[1] = constant("n");
  std::vector<TestWeight> weights = doubling_weights();
  weights.push_back(scalar("n", 3));
  GraphModel unrolled = load_graph(known, weights);
  CHECK(run_floats(unrolled, {"x"}, "y", {x}) == std::vector<float>{8, -24});
}

TEST_CASE("A branch of the first control flow that is not taken does not run", "[model][graphdef]") {
  // The wrong branch would add vectors whose shapes do not match.
  GraphModel model = load_graph({placeholder("x"),
                                 placeholder("p"),
                                 constant("three"),
                                 {"switch", "Switch", {"x", "p"}, ""},
                                 {"yes", "Neg", {"switch:1"}, ""},
                                 {"no", "Add", {"switch:0", "three"}, ""},
                                 {"y", "Merge", {"no", "yes"}, ""}},
                                {{"three", random_values({3})}});
  const Tensor x = Tensor::from({1.0F, 2.0F}, {2});
  CHECK(run_floats(model, {"x", "p"}, "y", {x, Tensor::from<bool>({true}, {})}) ==
        std::vector<float>{-1, -2});
  CHECK(run_graph(model, {"x", "p"}, {"y:1"}, {x, Tensor::from<bool>({true}, {})})[0]
            .values<std::int32_t>()[0] == 1);
  CHECK_THROWS_WITH(run_graph(model, {"x", "p"}, {"y"}, {x, Tensor::from<bool>({false}, {})}),
                    Catch::Matchers::ContainsSubstring("node \"no\", op Add"));
  CHECK_THROWS_WITH(run_graph(model, {"x", "p"}, {"no"}, {x, Tensor::from<bool>({true}, {})}),
                    Catch::Matchers::ContainsSubstring("was not taken"));
}

namespace {

const std::string kFunctions =
    function_json("small", {"i", "x"}, {"result"}, {constant("ten"), {"less", "Less", {"x", "ten"}, ""}},
                  R"("result":"less:z:0")") +
    "," +
    function_json(
        "step", {"i", "x"}, {"next_i", "next_x"},
        {constant("one"), {"more", "AddV2", {"i", "one:output:0"}, ""}, {"twice", "AddV2", {"x", "x"}, ""}},
        R"("next_i":"more:z:0","next_x":"twice:z:0")") +
    "," + function_json("double", {"v"}, {"out"}, {{"s", "AddV2", {"v", "v"}, ""}}, R"("out":"s:z:0")") +
    "," + function_json("negate", {"w"}, {"out"}, {{"s", "Neg", {"w"}, ""}}, R"("out":"s:y:0")");
const std::vector<TestWeight> kFunctionWeights = {scalar("ten", 10.0F), scalar("one", 1), scalar("zero", 0)};

}  // namespace

TEST_CASE("Functions run loops and branches of the second control flow", "[model][graphdef]") {
  GraphModel model =
      load_graph({placeholder("x"),
                  placeholder("p"),
                  constant("zero"),
                  {"loop",
                   "StatelessWhile",
                   {"zero", "x"},
                   R"("cond":{"func":{"name":"small"}},"body":{"func":{"name":"step"}})"},
                  {"count", "Identity", {"loop:0"}, ""},
                  {"y", "Identity", {"loop:1"}, ""},
                  {"either",
                   "StatelessIf",
                   {"p", "y"},
                   R"("then_branch":{"func":{"name":"double"}},"else_branch":{"func":{"name":"negate"}})"},
                  {"called", "PartitionedCall", {"x"}, R"("f":{"func":{"name":"double"}})"}},
                 kFunctionWeights, kFunctions);
  const Tensor x = Tensor::scalar(3.0F);
  CHECK(run_floats(model, {"x"}, "y", {x}) == std::vector<float>{12});
  CHECK(run_graph(model, {"x"}, {"count"}, {x})[0].values<std::int32_t>()[0] == 2);
  CHECK(run_floats(model, {"x", "p"}, "either", {x, Tensor::from<bool>({true}, {})}) ==
        std::vector<float>{24});
  CHECK(run_floats(model, {"x", "p"}, "either", {x, Tensor::from<bool>({false}, {})}) ==
        std::vector<float>{-12});
  CHECK(run_floats(model, {"x"}, "called", {x}) == std::vector<float>{6});
}

TEST_CASE("A call without outputs lets run what waits for it", "[model][graphdef]") {
  GraphModel model = load_graph({placeholder("x"),
                                 {"effect", "PartitionedCall", {"x"}, R"("f":{"func":{"name":"nothing"}})"},
                                 {"y", "Neg", {"x", "^effect"}, ""}},
                                {}, function_json("nothing", {"v"}, {}, {{"s", "Neg", {"v"}, ""}}, ""));
  CHECK(run_floats(model, {"x"}, "y", {Tensor::scalar(3.0F)}) == std::vector<float>{-3});
}

TEST_CASE("Arrays and lists of tensors pass through loops", "[model][graphdef]") {
  const std::string frame = R"("frame_name":{"s":"bG9vcA=="})";
  const std::string fixed = frame + R"(,"is_constant":{"b":true})";
  // y[i] = -x[i], row by row, in an array and in a list.
  const std::vector<GraphNode> nodes = {
      placeholder("x"),
      constant("zero"),
      constant("one"),
      constant("any"),
      constant("rows"),
      {"shape", "Shape", {"x"}, ""},
      {"begin", "Const", {}, ""},
      {"end", "Const", {}, ""},
      {"stride", "Const", {}, ""},
      {"n", "StridedSlice", {"shape", "begin", "end", "stride"}, R"("shrink_axis_mask":{"i":"1"})"},
      {"range", "Range", {"zero", "n", "one"}, ""},
      {"in", "TensorArrayV3", {"n"}, kFloat},
      {"filled", "TensorArrayScatterV3", {"in", "range", "x", "in:1"}, ""},
      {"out", "TensorArrayV3", {"n"}, kFloat},
      {"list", "TensorListReserve", {"any", "n"}, R"("element_dtype":{"type":"DT_FLOAT"})"},
      {"e_i", "Enter", {"zero"}, frame},
      {"e_flow", "Enter", {"out:1"}, frame},
      {"e_list", "Enter", {"list"}, frame},
      {"e_n", "Enter", {"n"}, fixed},
      {"e_in", "Enter", {"in"}, fixed},
      {"e_filled", "Enter", {"filled"}, fixed},
      {"e_out", "Enter", {"out"}, fixed},
      {"m_i", "Merge", {"e_i", "n_i"}, ""},
      {"m_flow", "Merge", {"e_flow", "n_flow"}, ""},
      {"m_list", "Merge", {"e_list", "n_list"}, ""},
      {"less", "Less", {"m_i", "e_n"}, ""},
      {"cond", "LoopCond", {"less"}, ""},
      {"s_i", "Switch", {"m_i", "cond"}, ""},
      {"s_flow", "Switch", {"m_flow", "cond"}, ""},
      {"s_list", "Switch", {"m_list", "cond"}, ""},
      {"row", "TensorArrayReadV3", {"e_in", "s_i:1", "e_filled"}, ""},
      {"minus", "Neg", {"row"}, ""},
      {"write", "TensorArrayWriteV3", {"e_out", "s_i:1", "minus", "s_flow:1"}, ""},
      {"set", "TensorListSetItem", {"s_list:1", "s_i:1", "minus"}, ""},
      {"next", "AddV2", {"s_i:1", "one"}, ""},
      {"n_i", "NextIteration", {"next"}, ""},
      {"n_flow", "NextIteration", {"write"}, ""},
      {"n_list", "NextIteration", {"set"}, ""},
      {"x_flow", "Exit", {"s_flow"}, ""},
      {"x_list", "Exit", {"s_list"}, ""},
      {"size", "TensorArraySizeV3", {"out", "x_flow"}, ""},
      {"all", "Range", {"zero", "size", "one"}, ""},
      {"gathered", "TensorArrayGatherV3", {"out", "all", "x_flow"}, kFloat},
      {"stacked", "TensorListStack", {"x_list", "rows"}, R"("element_dtype":{"type":"DT_FLOAT"})"}};
  const std::vector<TestWeight> weights = {scalar("zero", 0),  scalar("one", 1),   scalar("any", -1),
                                           ints("rows", {2}),  ints("begin", {0}), ints("end", {1}),
                                           ints("stride", {1})};
  GraphModel model = load_graph(nodes, weights);
  const Tensor x = random_values({3, 2});
  for (int repeat = 0; repeat < 2; ++repeat) {
    const Tensors got = run_graph(model, {"x"}, {"gathered", "stacked"}, {x});
    CHECK(difference(got[0], neg(x)) == 0);
    CHECK(difference(got[1], neg(x)) == 0);
  }
}

TEST_CASE("What needs values runs behind the plan, and all before it within", "[model][graphdef]") {
  // A Reshape whose shape is an input of the graph.
  GraphModel model = load_graph({placeholder("x"),
                                 placeholder("to"),
                                 {"minus", "Neg", {"x"}, ""},
                                 {"twice", "AddV2", {"minus", "minus"}, ""},
                                 {"shaped", "Reshape", {"twice", "to"}, ""},
                                 {"y", "Relu", {"shaped"}, ""}});
  const Tensor x = Tensor::from({1.0F, -2.0F, 3.0F, -4.0F}, {4});
  for (const Dims& shape : {Dims{2, 2}, Dims{4, 1}}) {
    const Tensors y =
        run_graph(model, {"x", "to"}, {"y", "minus"},
                  {x, Tensor::from(std::span<const std::int32_t>(shape.begin(), shape.end()), {2})});
    CHECK(y[0].shape() == Shape(shape));
    CHECK(floats(y[0]) == std::vector<float>{0, 4, 0, 8});
    CHECK(floats(y[1]) == std::vector<float>{-1, 2, -3, 4});
  }
  CHECK(model.plan_count() > 0);
}

TEST_CASE("Gradients lead through a graph", "[model][graphdef]") {
  GraphModel model = load_graph({placeholder("x"), {"s", "Square", {"x"}, ""}, {"y", "Neg", {"s"}, ""}});
  Tensor x = Tensor::from({1.0F, -2.0F}, {2});
  Tape tape;
  tape.watch(x);
  Tensor y;
  {
    const TapeGuard open(tape);
    y = run_graph(model, {"x"}, {"y"}, {x})[0];
  }
  Backward walk(tape, y, Tensor());
  while (walk.advance()) {
  }
  CHECK(floats(walk.get_gradient(x)) == std::vector<float>{-2, 4});
}

TEST_CASE("A transposed convolution without overlaps is one, last or not", "[model][graphdef]") {
  const Tensor filter = random_values({2, 2, 3, 5});
  const std::string attrs =
      R"("strides":{"list":{"i":["1","2","2","1"]}},"padding":{"s":"U0FNRQ=="},"data_format":{"s":"TkhXQw=="})";
  GraphModel model = load_graph(
      {placeholder("x", R"("shape":{"shape":{"dim":[{"size":"2"},{"size":"3"},{"size":"4"},{"size":"5"}]}})"),
       constant("sizes"),
       constant("filter"),
       {"y", "Conv2DBackpropInput", {"sizes", "filter", "x"}, attrs},
       {"z", "Neg", {"y"}, ""}},
      {ints("sizes", {2, 6, 8, 3}), {"filter", filter}});
  const Tensor x = random_values({2, 3, 4, 5});
  const Tensor expected = conv2d_transpose(
      x, filter, {.output_shape = {2, 6, 8, 3}, .stride_h = 2, .stride_w = 2, .padding = Padding::kSame});
  for (int run = 0; run < 2; ++run) {
    const Tensors got = run_graph(model, {"x"}, {"y", "z"}, {x});
    CHECK(difference(got[0], expected) < 1e-5F);
    CHECK(difference(got[1], neg(expected)) < 1e-5F);
    CHECK(difference(run_graph(model, {"x"}, {"y"}, {x})[0], expected) < 1e-5F);
  }
  CHECK(model.plan_count() > 0);
}

TEST_CASE("What fails in a planned graph names its node", "[model][graphdef]") {
  const std::string of_int = R"("dtype":{"type":"DT_INT32"})";
  GraphModel model = load_graph({placeholder("x"),
                                 placeholder("at", of_int),
                                 constant("axis"),
                                 {"picked", "GatherV2", {"x", "at", "axis"}, ""},
                                 {"y", "Relu", {"picked"}, ""}},
                                {scalar("axis", 0)});
  const Tensor x = Tensor::from({1.0F, 2.0F, 3.0F}, {3});
  const std::string inputs[] = {"x", "at"};
  const std::string outputs[] = {"y"};
  const int program = model.compile(inputs, outputs);
  const auto pick = [&](std::int32_t at) {
    return floats(model.run(program, Tensors{x, Tensor::from({at}, {1})})[0]);
  };
  CHECK(pick(2) == std::vector<float>{3});
  const std::size_t live = allocator_stats().live;
  CHECK_THROWS_WITH(pick(7), Catch::Matchers::ContainsSubstring("7 is not in [0, 2]") &&
                                 Catch::Matchers::EndsWith("(in the node \"picked\")"));
  CHECK(allocator_stats().live == live);
  CHECK(pick(1) == std::vector<float>{2});
  CHECK(model.plan_count() > 0);
}

#ifdef TENURE_DEBUG
TEST_CASE("A failure at any op or allocation of a graph leaves nothing", "[model][graphdef]") {
  const Tensor x = random_values({2, 2});
  const Tensors given = {x, Tensor::scalar(3)};
  for (const auto& [fail, what] : {std::pair(&fault_injection::fail_op, "op"),
                                   std::pair(&fault_injection::fail_allocation, "allocation")}) {
    int failures = 0;
    bool done = false;
    for (int after = 0; !done; ++after) {
      REQUIRE(after < 2000);
      const std::size_t live = allocator_stats().live;
      fail(after);
      try {
        GraphModel model = load_graph(doubling_loop(), doubling_weights());
        for (int i = 0; i < 2; ++i) run_graph(model, {"x", "n"}, {"y"}, given);
        done = true;
      } catch (const Error&) {
        ++failures;
      }
      fail(-1);
      trim_memory();
      CHECK(allocator_stats().live == live);
    }
    INFO(what);
    CHECK(failures > 5);
  }
}
#endif
