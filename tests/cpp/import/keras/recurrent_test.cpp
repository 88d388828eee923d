#include <functional>

#include "catch.h"
#include "core/error.h"
#include "model/models.h"
#include "ops/ops.h"

/// Tests of recurrent layers against their formulas, written as loops over numbers.
namespace tenure {
namespace {

using test::difference;
using test::floats;
using test::near;
using test::random_values;
using test::run_layer;

using Vector = std::vector<float>;

float sigmoid_of(float x) { return 1 / (1 + std::exp(-x)); }
float hard_sigmoid_of(float x) { return std::min(std::max(0.2F * x + 0.5F, 0.0F), 1.0F); }

/// Weights of a reference cell, whose products are loops.
struct Cell {
  int units;
  Tensor kernel;
  Tensor recurrent;
  Tensor bias;

  float input(const Vector& x, int column) const {
    return product(x, kernel, column) + bias.data<float>()[column];
  }
  float product(const Vector& x, const Tensor& matrix, int column) const {
    float sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += x[i] * matrix.data<float>()[i * static_cast<std::size_t>(matrix.dim(1)) +
                                         static_cast<std::size_t>(column)];
    }
    return sum;
  }
};

/// Reference step: returns the new states, of which the first is the output.
using Step =
    std::function<std::vector<Vector>(const Cell&, const Vector& x, const std::vector<Vector>& states)>;

std::vector<Vector> simple_step(const Cell& c, const Vector& x, const std::vector<Vector>& s) {
  Vector h;
  for (int u = 0; u < c.units; ++u) h.push_back(std::tanh(c.input(x, u) + c.product(s[0], c.recurrent, u)));
  return {h};
}

std::vector<Vector> lstm_step(const Cell& c, const Vector& x, const std::vector<Vector>& s) {
  Vector h;
  Vector carry;
  for (int u = 0; u < c.units; ++u) {
    const auto gate = [&](int g) {
      return c.input(x, g * c.units + u) + c.product(s[0], c.recurrent, g * c.units + u);
    };
    carry.push_back(sigmoid_of(gate(1)) * s[1][static_cast<std::size_t>(u)] +
                    sigmoid_of(gate(0)) * std::tanh(gate(2)));
    h.push_back(sigmoid_of(gate(3)) * std::tanh(carry.back()));
  }
  return {h, carry};
}

std::vector<Vector> gru_step(const Cell& c, const Vector& x, const std::vector<Vector>& s) {
  const int n = c.units;
  Vector z;
  Vector reset;
  for (int u = 0; u < n; ++u) {
    z.push_back(hard_sigmoid_of(c.input(x, u) + c.product(s[0], c.recurrent, u)));
    reset.push_back(s[0][static_cast<std::size_t>(u)] *
                    hard_sigmoid_of(c.input(x, n + u) + c.product(s[0], c.recurrent, n + u)));
  }
  Vector h;
  for (int u = 0; u < n; ++u) {
    const float candidate = std::tanh(c.input(x, 2 * n + u) + c.product(reset, c.recurrent, 2 * n + u));
    const auto i = static_cast<std::size_t>(u);
    h.push_back(z[i] * s[0][i] + (1 - z[i]) * candidate);
  }
  return {h};
}

std::vector<Vector> gru_reset_after_step(const Cell& c, const Vector& x, const std::vector<Vector>& s) {
  const int n = c.units;
  const auto inner = [&](int column) {
    return c.product(s[0], c.recurrent, column) + c.bias.data<float>()[3 * n + column];
  };
  Vector h;
  for (int u = 0; u < n; ++u) {
    const float z = sigmoid_of(c.input(x, u) + inner(u));
    const float r = sigmoid_of(c.input(x, n + u) + inner(n + u));
    const float candidate = std::tanh(c.input(x, 2 * n + u) + r * inner(2 * n + u));
    h.push_back(z * s[0][static_cast<std::size_t>(u)] + (1 - z) * candidate);
  }
  return {h};
}

/// Returns the states of every sequence of `x` after each step: [sequence][step][state].
std::vector<std::vector<std::vector<Vector>>> run_reference(const Cell& cell, const Step& step,
                                                            const Tensor& x, std::size_t states,
                                                            bool backwards = false) {
  std::vector<std::vector<std::vector<Vector>>> all;
  for (int b = 0; b < x.dim(0); ++b) {
    std::vector<Vector> state(states, Vector(static_cast<std::size_t>(cell.units)));
    all.emplace_back();
    for (int t = 0; t < x.dim(1); ++t) {
      const int at = backwards ? x.dim(1) - 1 - t : t;
      const float* row = x.data<float>() + (b * x.dim(1) + at) * x.dim(2);
      state = step(cell, Vector(row, row + x.dim(2)), state);
      all.back().push_back(state);
    }
  }
  return all;
}

struct Kind {
  std::string name;
  std::string fields;
  int gates;
  std::size_t states;
  Step step;
  bool two_biases = false;
};

const Kind kKinds[] = {
    {"SimpleRNN", "", 1, 1, simple_step},
    {"LSTM", R"("recurrent_activation":"sigmoid",)", 4, 2, lstm_step},
    {"GRU", "", 3, 1, gru_step},
    {"GRU", R"("recurrent_activation":"sigmoid","reset_after":true,)", 3, 1, gru_reset_after_step, true},
};

constexpr int kUnits = 3;

Cell make_cell(const Kind& kind, int features, std::uint32_t seed = 2) {
  const int columns = kind.gates * kUnits;
  return {kUnits, random_values({features, columns}, seed), random_values({kUnits, columns}, seed + 1),
          random_values(kind.two_biases ? Shape{2, columns} : Shape{columns}, seed + 2)};
}

std::vector<test::TestWeight> weights_of(const Cell& cell, const std::string& prefix) {
  return {{prefix + "/kernel", cell.kernel},
          {prefix + "/recurrent_kernel", cell.recurrent},
          {prefix + "/bias", cell.bias}};
}

}  // namespace

TEST_CASE("Recurrent layers follow their formulas", "[model][recurrent]") {
  const Kind& kind = kKinds[GENERATE(0, 1, 2, 3)];
  const int batch = GENERATE(1, 2);
  const bool backwards = GENERATE(false, true);
  const Tensor x = random_values({batch, 4, 5});
  const Cell cell = make_cell(kind, 5);
  const auto expected = run_reference(cell, kind.step, x, kind.states, backwards);
  const std::string fields = text("\"units\":3,", kind.fields, "\"go_backwards\":", backwards);
  const auto weights = weights_of(cell, "layer");
  INFO(kind.name << " " << fields);

  const Vector last = floats(run_layer(kind.name, "[null,null,5]", fields, weights, x));
  Vector wanted;
  for (const auto& sequence : expected)
    wanted.insert(wanted.end(), sequence.back()[0].begin(), sequence.back()[0].end());
  CHECK(near(last, wanted));

  LayersModel model = test::load(
      test::one_layer(kind.name, "[null,null,5]", fields + R"(,"return_sequences":true)"), weights);
  const Tensor all = model.predict(std::span(&x, 1))[0];
  CHECK(test::dims(all.shape()) == std::vector{batch, 4, 3});
  wanted.clear();
  for (const auto& sequence : expected) {
    for (const auto& states : sequence) wanted.insert(wanted.end(), states[0].begin(), states[0].end());
  }
  CHECK(near(floats(all), wanted));
  CHECK(test::dims(model.outputs()[0].shape) == std::vector{-1, -1, 3});
}

TEST_CASE("States go in and out", "[model][recurrent]") {
  const Kind& kind = kKinds[1];
  const Cell cell = make_cell(kind, 2);
  const Tensor x = random_values({1, 6, 2});
  const auto input = [](const std::string& name, const std::string& shape) {
    return text(R"({"class_name":"InputLayer","name":")", name, R"(","config":{"name":")", name,
                R"(","batch_input_shape":)", shape, R"(},"inbound_nodes":[]})");
  };
  const std::string rnn =
      R"({"class_name":"LSTM","name":"rnn","config":{"name":"rnn","units":3,"recurrent_activation":"sigmoid",)"
      R"("return_state":true},"inbound_nodes":)";
  const std::string ends = R"(,"output_layers":[["rnn",0,0],["rnn",0,1],["rnn",0,2]]}})";
  const std::string inputs =
      input("x", "[null,null,2]") + "," + input("h", "[null,3]") + "," + input("c", "[null,3]");
  const std::string as_inputs = R"([[["x",0,0,{}],["h",0,0,{}],["c",0,0,{}]]])";
  const std::string as_keyword = R"([[["x",0,0,{"initial_state":[["h",0,0],["c",0,0]]}]]])";
  const auto expected = run_reference(cell, kind.step, x, 2)[0];
  for (const std::string& nodes : {as_inputs, as_keyword}) {
    LayersModel model =
        test::load(R"({"class_name":"Model","config":{"name":"m","layers":[)" + inputs + "," + rnn + nodes +
                       R"(}],"input_layers":[["x",0,0],["h",0,0],["c",0,0]])" + ends,
                   weights_of(cell, "rnn"));
    Tensor h = fill({.shape = {1, 3}});
    Tensor c = h;
    for (int half = 0; half < 2; ++half) {
      const Tensor part = slice(x, {.begin = {0, 3 * half, 0}, .size = {1, 3, 2}});
      const Tensors results = model.predict(Tensors{part, h, c});
      REQUIRE(results.size() == 3);
      CHECK(difference(results[0], results[1]) == 0);
      h = results[1];
      c = results[2];
    }
    CHECK(near(floats(h), expected.back()[0]));
    CHECK(near(floats(c), expected.back()[1]));
  }
}

TEST_CASE("Bidirectional runs both ways and merges", "[model][recurrent]") {
  const Kind& kind = kKinds[0];
  const Cell forward = make_cell(kind, 2);
  const Cell backward = make_cell(kind, 2, 10);
  const Tensor x = random_values({1, 4, 2});
  auto weights = weights_of(forward, "layer/forward_rnn");
  const auto more = weights_of(backward, "layer/backward_rnn");
  weights.insert(weights.end(), more.begin(), more.end());
  const auto ahead = run_reference(forward, kind.step, x, 1)[0];
  const auto back = run_reference(backward, kind.step, x, 1, true)[0];
  const auto fields = [](const std::string& mode, bool sequences) {
    return text("\"merge_mode\":", mode, ",\"layer\":",
                test::layer("SimpleRNN", "rnn", text("\"units\":3,\"return_sequences\":", sequences)));
  };
  const auto merged = [&](float (*merge)(float, float), std::size_t ahead_at, std::size_t back_at) {
    Vector result;
    for (std::size_t u = 0; u < kUnits; ++u)
      result.push_back(merge(ahead[ahead_at][0][u], back[back_at][0][u]));
    return result;
  };
  const auto run = [&](const std::string& mode) {
    return floats(run_layer("Bidirectional", "[null,4,2]", fields(mode, false), weights, x));
  };
  CHECK(near(run("\"sum\""), merged([](float a, float b) { return a + b; }, 3, 3)));
  CHECK(near(run("\"mul\""), merged([](float a, float b) { return a * b; }, 3, 3)));
  CHECK(near(run("\"ave\""), merged([](float a, float b) { return (a + b) / 2; }, 3, 3)));

  const Vector sequence =
      floats(run_layer("Bidirectional", "[null,4,2]", fields("\"concat\"", true), weights, x));
  for (std::size_t t = 0; t < 4; ++t) {
    const Vector step(sequence.begin() + static_cast<std::ptrdiff_t>(6 * t),
                      sequence.begin() + static_cast<std::ptrdiff_t>(6 * t + 6));
    Vector wanted = ahead[t][0];
    wanted.insert(wanted.end(), back[3 - t][0].begin(), back[3 - t][0].end());
    CHECK(near(step, wanted));
  }
}

TEST_CASE("Cells stack", "[model][recurrent]") {
  const Cell first = make_cell(kKinds[0], 2);
  const Cell second = make_cell(kKinds[2], kUnits, 10);
  const Tensor x = random_values({2, 3, 2});
  auto weights = weights_of(first, "layer/RNNCell_0");
  const auto more = weights_of(second, "layer/RNNCell_1");
  weights.insert(weights.end(), more.begin(), more.end());
  const std::string cells = "[" + test::layer("SimpleRNNCell", "a", "\"units\":3") + "," +
                            test::layer("GRUCell", "b", "\"units\":3") + "]";
  const Tensor stacked = run_layer("RNN", "[null,3,2]", "\"cell\":" + cells, weights, x);
  const Tensor explicit_stack =
      run_layer("RNN", "[null,3,2]",
                R"("cell":{"class_name":"StackedRNNCells","config":{"name":"stack","cells":)" + cells + "}}",
                weights, x);
  LayersModel two = test::load(
      test::sequential({test::layer("SimpleRNN", "a",
                                    R"("units":3,"return_sequences":true,"batch_input_shape":[null,3,2])"),
                        test::layer("GRU", "b", "\"units\":3")}),
      [&] {
        auto separate = weights_of(first, "a");
        const auto rest = weights_of(second, "b");
        separate.insert(separate.end(), rest.begin(), rest.end());
        return separate;
      }());
  const Tensor expected = two.predict(std::span(&x, 1))[0];
  CHECK(difference(stacked, expected) < 1e-6F);
  CHECK(difference(explicit_stack, expected) < 1e-6F);
}

TEST_CASE("Masked steps leave the state as it was", "[model][recurrent]") {
  const Kind& kind = kKinds[GENERATE(0, 1, 2)];
  const Cell cell = make_cell(kind, 2);
  const Tensor steps = random_values({1, 3, 2});
  const Tensor with_gaps = concat({steps}, {1});
  Tensor gapped({{1, 5, 2}, DType::kFloat32});
  std::fill_n(gapped.mutable_data<float>(), 10, 0.0F);
  for (const auto& [from, to] : {std::pair{0, 1}, {1, 2}, {2, 4}}) {
    std::copy_n(steps.data<float>() + 2 * from, 2, gapped.mutable_data<float>() + 2 * to);
  }
  LayersModel model = test::load(
      test::sequential(
          {test::layer("Masking", "mask", R"("batch_input_shape":[null,null,2])"),
           test::layer(kind.name, "rnn", text("\"units\":3,", kind.fields, "\"return_sequences\":false"))}),
      weights_of(cell, "rnn"));
  const auto expected = run_reference(cell, kind.step, steps, kind.states)[0];
  CHECK(near(floats(model.predict(std::span(&gapped, 1))[0]), expected.back()[0]));
}

TEST_CASE("TimeDistributed applies a layer to every step", "[model][recurrent]") {
  const Tensor x = random_values({2, 3, 4});
  const Tensor kernel = random_values({4, 5}, 2);
  const Tensor y = run_layer("TimeDistributed", "[null,null,4]",
                             "\"layer\":" + test::layer("Dense", "d", R"("units":5,"use_bias":false)"),
                             {{"layer/kernel", kernel}}, x);
  const Tensor rows = reshape(x, {{6, 4}});
  CHECK(difference(y, reshape(mat_mul(rows, kernel), {{2, 3, 5}})) < 1e-6F);
}

TEST_CASE("More steps than one concat takes", "[model][recurrent]") {
  const Tensor x = random_values({1, 1500, 1});
  const Cell cell = make_cell(kKinds[0], 1);
  const Tensor y = run_layer("SimpleRNN", "[null,null,1]", R"("units":3,"return_sequences":true)",
                             weights_of(cell, "layer"), x);
  const auto expected = run_reference(cell, simple_step, x, 1)[0];
  CHECK(near(Vector(y.data<float>() + 3 * 1499, y.data<float>() + 3 * 1500), expected.back()[0], 1e-4F));
}

TEST_CASE("Many steps, run as a loop, give what few give one after the other", "[model][recurrent]") {
  const Kind& kind = kKinds[GENERATE(0, 1, 2)];
  const bool is_masked = GENERATE(false, true);
  const bool backwards = GENERATE(false, true);
  const auto states = static_cast<std::size_t>(kind.states);
  std::string inputs = R"(["x",0,0])";
  std::string inbound = is_masked ? R"(["mask",0,0])" : R"(["x",0,0])";
  std::vector<std::string> rows = {test::input("x", "[null,null,2]")};
  if (is_masked) rows.push_back(test::node("Masking", "mask", "", R"([[["x",0,0]]])"));
  std::string outputs = R"(["rnn",0,0])";
  for (std::size_t i = 0; i < states; ++i) {
    rows.push_back(test::input(text("s", i), "[null,3]"));
    inputs += text(R"(,["s)", i, R"(",0,0])");
    inbound += text(R"(,["s)", i, R"(",0,0])");
    outputs += text(R"(,["rnn",0,)", i + 1, "]");
  }
  rows.push_back(
      test::node(kind.name, "rnn",
                 text("\"units\":3,", kind.fields, R"("return_sequences":true,"return_state":true,)",
                      "\"go_backwards\":", backwards ? "true" : "false"),
                 "[[" + inbound + "]]"));
  LayersModel model = test::load(test::functional(rows, "[" + inputs + "]", "[" + outputs + "]"),
                                 weights_of(make_cell(kind, 2), "rnn"));
  Tensor x = random_values({2, 200, 2}, 3);
  // Some steps are masked. The first is not, since the output of a masked first step is not a state.
  for (std::size_t i = 4; i < x.elements(); i += 12) std::fill_n(x.mutable_data<float>() + i, 2, 0.0F);
  const auto half = [&](std::int32_t first) {
    return slice(x, {.begin = {0, first, 0}, .size = {2, 100, 2}});
  };
  Tensors before = {half(backwards ? 100 : 0)};
  for (std::size_t i = 0; i < states; ++i) before.push_back(random_values({2, 3}, 7));
  Tensors whole = before;
  whole[0] = x;
  const Tensors expected_start = model.predict(before);
  Tensors after = {half(backwards ? 0 : 100)};
  after.insert(after.end(), expected_start.begin() + 1, expected_start.end());
  const Tensors expected_end = model.predict(after);
  const Tensors got = model.predict(whole);
  CHECK(difference(got[0], concat({expected_start[0], expected_end[0]}, {1})) < 1e-6F);
  for (std::size_t i = 1; i < got.size(); ++i) CHECK(difference(got[i], expected_end[i]) < 1e-6F);
  CHECK(difference(model.predict(whole)[0], got[0]) == 0);
}

TEST_CASE("Endless sequences load at once, and long ones run", "[model][recurrent]") {
  const Cell cell = make_cell(kKinds[0], 1);
  LayersModel model =
      test::load(test::one_layer("SimpleRNN", "[null,10000000,1]", R"("units":3,"return_sequences":true)"),
                 weights_of(cell, "layer"));
  CHECK(test::dims(model.outputs()[0].shape) == std::vector{-1, 10000000, 3});
  const Cell broad{300, random_values({2, 900}), random_values({300, 900}), random_values({900})};
  LayersModel wide =
      test::load(test::one_layer("GRU", "[null,10000000,2]", R"("units":300,"return_sequences":true)"),
                 weights_of(broad, "layer"));
  CHECK(test::dims(wide.outputs()[0].shape) == std::vector{-1, 10000000, 300});
  const Tensor x = random_values({1, 20000, 1});
  const Tensor y = run_layer("SimpleRNN", "[null,null,1]", "\"units\":3", weights_of(cell, "layer"), x);
  CHECK(test::dims(y.shape()) == std::vector{1, 3});
}

TEST_CASE("Sequences of no features whose steps cannot be counted are refused", "[model][recurrent]") {
  const Cell cell{1, Tensor({{0, 1}, DType::kFloat32}), random_values({1, 1}), random_values({1})};
  const Tensor x({{1 << 16, 1 << 16, 0}, DType::kFloat32});
  CHECK_THROWS_MATCHES(
      run_layer("SimpleRNN", "[null,null,0]", "\"units\":1", weights_of(cell, "layer"), x), Error,
      Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring("more than 2^31 - 1 elements")));
}

}  // namespace tenure
