// Recurrent layers, unrolled over their time steps.

#include <array>

#include "import/onnx/families.h"
#include "import/onnx/rows/activation.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Returns the activations of all directions, in order. `names` are those of one direction by default.
std::vector<Activation> read_activations(const Call& call, std::span<const std::string_view> names,
                                         int directions) {
  const std::size_t count = names.size() * static_cast<std::size_t>(directions);
  const std::span<const std::string> given = call.attrs().strings("activations");
  check(given.empty() || given.size() == count, "attribute \"activations\" has ", given.size(), " names, ",
        count, " were expected");
  const std::span<const double> alphas = call.attrs().numbers("activation_alpha");
  const std::span<const double> betas = call.attrs().numbers("activation_beta");
  std::vector<Activation> activations;
  // The lists of parameters have entries for those activations only that take one.
  std::size_t alpha = 0;
  std::size_t beta = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view name = given.empty() ? names[i % names.size()] : std::string_view(given[i]);
    Activation one = get_activation(name);
    if (one.parameters > 0 && alpha < alphas.size()) one.alpha = static_cast<float>(alphas[alpha++]);
    if (one.parameters > 1 && beta < betas.size()) one.beta = static_cast<float>(betas[beta++]);
    activations.push_back(one);
  }
  return activations;
}

/// Returns the slice [begin, begin + size) along an axis.
Tensor take(const Tensor& x, int axis, std::int32_t begin, std::int32_t size) {
  Dims starts;
  Dims sizes;
  for (int i = 0; i < x.rank(); ++i) {
    starts.push_back(i == axis ? begin : 0);
    sizes.push_back(i == axis ? size : x.dim(i));
  }
  return slice(x, {starts, sizes});
}

/// Returns element `at` of the first axis, without that axis; an empty tensor of an empty one.
Tensor pick(const Tensor& x, std::int32_t at) { return x ? squeeze(take(x, 0, at, 1), {Dims{0}}) : Tensor(); }

/// One direction of a layer: its weights, and what all time steps share.
struct Direction {
  Tensor input_weights = {};      ///< [gates * hidden, input]
  Tensor recurrent_weights = {};  ///< [gates * hidden, hidden]
  Tensor input_bias = {};         ///< [gates * hidden], or empty
  Tensor recurrent_bias = {};
  Tensor peepholes = {};  ///< [3 * hidden], or empty
  std::span<const Activation> activations = {};
  std::int32_t hidden = 0;
  float clip = 0;
  bool couples_input_and_forget = false;
  bool resets_after_product = false;

  Tensor clipped(const Tensor& x) const {
    return clip > 0 ? clip_by_value(x, {.min = -clip, .max = clip}) : x;
  }
  Tensor gate(const Tensor& x, int i) const { return take(x, 1, i * hidden, hidden); }
  Tensor recurrent(const Tensor& h) const { return mat_mul(h, recurrent_weights, {.transpose_b = true}); }
  Tensor activated(const Tensor& x, std::size_t i) const { return activate(clipped(x), activations[i]); }
  Tensor peephole(int i) const { return take(peepholes, 0, i * hidden, hidden); }
};

/// The state of one direction: [batch, hidden] each.
struct State {
  Tensor h = {};
  Tensor c = {};
};

/// Returns the next state of a cell from the input's product with the weights and biases, `x`.
using Cell = State (*)(const Direction& direction, const Tensor& x, const State& state);

State step_rnn(const Direction& direction, const Tensor& x, const State& state) {
  return {direction.activated(add(x, direction.recurrent(state.h)), 0), {}};
}

State step_lstm(const Direction& direction, const Tensor& x, const State& state) {
  const Tensor gates = add(x, direction.recurrent(state.h));
  const auto gate = [&](int i, const Tensor& c, int peephole) {
    const Tensor value = direction.gate(gates, i);
    return direction.peepholes ? add(value, mul(c, direction.peephole(peephole))) : value;
  };
  const Tensor in = direction.activated(gate(0, state.c, 0), 0);
  const Tensor forget = direction.couples_input_and_forget ? sub(Tensor::scalar(1.0F), in)
                                                           : direction.activated(gate(2, state.c, 2), 0);
  const Tensor cell = direction.activated(direction.gate(gates, 3), 1);
  const Tensor c = add(mul(forget, state.c), mul(in, cell));
  const Tensor out = direction.activated(gate(1, c, 1), 0);
  return {mul(out, activate(c, direction.activations[2])), c};
}

State step_gru(const Direction& direction, const Tensor& x, const State& state) {
  const std::int32_t hidden = direction.hidden;
  const auto product = [&](int first, int count, const Tensor& h) {
    return mat_mul(h, take(direction.recurrent_weights, 0, first * hidden, count * hidden),
                   {.transpose_b = true});
  };
  const Tensor both = add(take(x, 1, 0, 2 * hidden), product(0, 2, state.h));
  const Tensor update = direction.activated(direction.gate(both, 0), 0);
  const Tensor reset = direction.activated(direction.gate(both, 1), 0);
  Tensor candidate;
  if (direction.resets_after_product) {
    candidate = product(2, 1, state.h);
    if (direction.recurrent_bias)
      candidate = add(candidate, take(direction.recurrent_bias, 0, 2 * hidden, hidden));
    candidate = mul(reset, candidate);
  } else {
    candidate = product(2, 1, mul(reset, state.h));
  }
  const Tensor next = direction.activated(add(direction.gate(x, 2), candidate), 1);
  return {add(mul(sub(Tensor::scalar(1.0F), update), next), mul(update, state.h)), {}};
}

/// Returns the biases that are added to the input's product. A GRU that resets after the product adds its
/// last recurrent bias there.
Tensor join_biases(const Direction& direction) {
  const std::int32_t hidden = direction.hidden;
  if (!direction.resets_after_product) return add(direction.input_bias, direction.recurrent_bias);
  const auto part = [&](const Tensor& bias, std::int32_t first, std::int32_t count) {
    return take(bias, 0, first * hidden, count * hidden);
  };
  return concat({add(part(direction.input_bias, 0, 2), part(direction.recurrent_bias, 0, 2)),
                 part(direction.input_bias, 2, 1)},
                {0});
}

/// Reverses [time, batch, ...]: each batch's first `lengths` steps if there are lengths.
Tensor reverse_time(const Tensor& x, const Tensor& lengths) {
  if (!lengths) return reverse(x, {Dims{0}});
  const Tensor steps = range({.step = 0, .int_step = 1, .count = x.dim(0), .dtype = DType::kInt32});
  const Tensor mirrored =
      sub(sub(reshape(lengths, {Shape{-1, 1}}), Tensor::scalar(1)), reshape(steps, {Shape{1, -1}}));
  const Tensor positions = where(less(mirrored, Tensor::scalar(0)), reshape(steps, {Shape{1, -1}}), mirrored);
  const PermutationAttrs swapped{Dims{1, 0, 2}};
  return transpose(gather(transpose(x, swapped), positions, {.axis = 1, .batch_dims = 1}), swapped);
}

struct Layer {
  Tensor outputs;  ///< [time, batch, hidden]
  State last;
};

/// Runs one direction over x, [time, batch, input].
Layer run_direction(const Direction& direction, Cell cell, const Tensor& x, const Tensor& lengths,
                    State state) {
  const std::int32_t steps = x.dim(0);
  const std::int32_t batch = x.dim(1);
  const Tensor flat = reshape(x, {Shape{steps * batch, x.dim(2)}});
  const MatMulAttrs by_rows{.transpose_b = true};
  const Tensor products = direction.input_bias
                              ? mat_mul(flat, direction.input_weights, join_biases(direction), by_rows)
                              : mat_mul(flat, direction.input_weights, by_rows);
  Tensors outputs;
  for (std::int32_t t = 0; t < steps; ++t) {
    const Tensor part = steps == 1 ? products : take(products, 0, t * batch, batch);
    State next = cell(direction, part, state);
    Tensor output = next.h;
    if (lengths) {
      const Tensor runs = greater(reshape(lengths, {Shape{batch, 1}}), Tensor::scalar(t));
      output = where(runs, next.h, Tensor::scalar(0.0F));
      next.h = where(runs, next.h, state.h);
      if (next.c) next.c = where(runs, next.c, state.c);
    }
    outputs.push_back(output);
    state = next;
  }
  return {stack(outputs, {0}), state};
}

/// Differences between the three layers.
struct Kind {
  Cell cell;
  std::int32_t gates;
  std::span<const std::string_view> activations;
  bool has_cell_state = false;
};

void check_weights(const Tensor& weights, std::string_view name, int directions, std::int32_t rows,
                   std::int32_t columns) {
  check_shape(weights.shape() == Shape{directions, rows, columns}, "expected the input ", name, " of shape ",
              Shape{directions, rows, columns}, ", got ", weights.shape());
}

/// The weights of all directions.
struct Weights {
  Tensor input;      ///< [directions, gates * hidden, input]
  Tensor recurrent;  ///< [directions, gates * hidden, hidden]
};

/// Returns the weights, biases and activations of direction `i`.
Direction read_direction(const Call& call, const Kind& kind, const Weights& weights,
                         std::span<const Activation> activations, int i) {
  const std::int32_t hidden = weights.recurrent.dim(2);
  const std::int32_t rows = kind.gates * hidden;
  const std::size_t count = kind.activations.size();
  Direction direction{.input_weights = pick(weights.input, i),
                      .recurrent_weights = pick(weights.recurrent, i),
                      .activations = activations.subspan(count * static_cast<std::size_t>(i), count),
                      .hidden = hidden,
                      .clip = static_cast<float>(call.attrs().number("clip", 0)),
                      .couples_input_and_forget = call.attrs().flag("input_forget"),
                      .resets_after_product = call.attrs().flag("linear_before_reset")};
  if (const Tensor bias = pick(optional(call, 3), i)) {
    direction.input_bias = take(bias, 0, 0, rows);
    direction.recurrent_bias = take(bias, 0, rows, rows);
  }
  if (kind.has_cell_state) direction.peepholes = pick(optional(call, 7), i);
  return direction;
}

EdgeValues recur(const Call& call, const Kind& kind, const Weights& weights) {
  const bool is_batch_first = call.attrs().flag("layout");
  const PermutationAttrs swapped{Dims{1, 0, 2}};
  check_shape(call[0].rank() == 3, "expected an input of rank 3, got ", call[0].shape());
  const Tensor x = is_batch_first ? transpose(call[0], swapped) : call[0];
  const std::string_view way = call.attrs().string("direction", "forward");
  check(way == "forward" || way == "reverse" || way == "bidirectional", "attribute \"direction\" is \"", way,
        "\"");
  const int directions = way == "bidirectional" ? 2 : 1;
  check_shape(weights.recurrent.rank() == 3, "expected recurrent weights of rank 3, got ",
              weights.recurrent.shape());
  // The graph of a plan has the nodes of all steps.
  constexpr std::int32_t kMaxSteps = 1 << 16;
  check_shape(x.dim(0) > 0 && x.dim(0) <= kMaxSteps, "it has ", x.dim(0), " time steps, 1 to ", kMaxSteps,
              " are supported");
  const std::int32_t hidden = weights.recurrent.dim(2);
  check_shape(hidden > 0 && hidden < 1 << 28, "it has ", hidden, " units");
  const std::int32_t batch = x.dim(1);
  const std::int32_t rows = kind.gates * hidden;
  check_weights(weights.input, "W", directions, rows, x.dim(2));
  check_weights(weights.recurrent, "R", directions, rows, hidden);
  const std::vector<Activation> activations = read_activations(call, kind.activations, directions);
  Tensor lengths = optional(call, 4);
  if (lengths) lengths = as_indices(lengths);
  const auto initial = [&](int input, int direction) -> Tensor {
    if (!has(call, input)) return fill({.shape = {batch, hidden}});
    const Tensor given = is_batch_first ? transpose(call[input], swapped) : call[input];
    check_weights(given, input == 5 ? "initial_h" : "initial_c", directions, batch, hidden);
    return pick(given, direction);
  };
  Tensors outputs;
  Tensors last_h;
  Tensors last_c;
  for (int i = 0; i < directions; ++i) {
    const Direction direction = read_direction(call, kind, weights, activations, i);
    State state{.h = initial(5, i)};
    if (kind.has_cell_state) state.c = initial(6, i);
    const bool is_reverse = way == "reverse" || i == 1;
    Layer layer =
        run_direction(direction, kind.cell, is_reverse ? reverse_time(x, lengths) : x, lengths, state);
    outputs.push_back(is_reverse ? reverse_time(layer.outputs, lengths) : layer.outputs);
    last_h.push_back(layer.last.h);
    last_c.push_back(layer.last.c);
  }
  // [time, directions, batch, hidden], or [batch, time, directions, hidden].
  const int axis = is_batch_first ? 1 : 0;
  Tensor sequence = stack(outputs, {1});
  if (is_batch_first) sequence = transpose(sequence, {Dims{2, 0, 1, 3}});
  EdgeValues results{sequence, stack(last_h, {axis})};
  if (kind.has_cell_state) results.emplace_back(stack(last_c, {axis}));
  return results;
}

constexpr std::array<std::string_view, 3> kLstmActivations{"Sigmoid", "Tanh", "Tanh"};
constexpr std::array<std::string_view, 2> kGruActivations{"Sigmoid", "Tanh"};
constexpr std::array<std::string_view, 1> kRnnActivations{"Tanh"};

constexpr Kind kLstm{step_lstm, 4, kLstmActivations, true};

EdgeValues lstm(const Call& call) { return recur(call, kLstm, {call[1], call[2]}); }
EdgeValues gru(const Call& call) { return recur(call, {step_gru, 3, kGruActivations}, {call[1], call[2]}); }
EdgeValues rnn(const Call& call) { return recur(call, {step_rnn, 1, kRnnActivations}, {call[1], call[2]}); }

/// Returns quantized weights [directions, input, gates * hidden] as those of the standard op. The next input
/// after the scale is the zero point; each has one value, or a row of them, for each direction.
Tensor dequantize_weights(const Call& call, int i, int scale) {
  check_shape(call[i].rank() == 3, "expected weights of rank 3, got ", call[i].shape());
  const auto broadcast = [&](const Tensor& x) { return reshape(x, {Shape{call[i].dim(0), 1, -1}}); };
  return transpose(dequantize(call[i], broadcast(call[scale]), broadcast(call[scale + 1])), {Dims{0, 2, 1}});
}

/// The LSTM of com.microsoft. The input and the state are not quantized.
EdgeValues quantized_lstm(const Call& call) {
  return recur(call, kLstm, {dequantize_weights(call, 1, 8), dequantize_weights(call, 2, 10)});
}

constexpr Row kRows[] = {
    {"GRU", gru},
    {"LSTM", lstm},
    {"RNN", rnn},
};
constexpr Row kContribRows[] = {{"DynamicQuantizeLSTM", quantized_lstm}};

}  // namespace

std::span<const Row> recurrent_rows() { return kRows; }
std::span<const Row> contrib_recurrent_rows() { return kContribRows; }

}  // namespace tenure::onnx
