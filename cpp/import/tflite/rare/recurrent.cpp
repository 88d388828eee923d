// Recurrent layers, unrolled over their time steps. Their states are variables of the model.

#include <algorithm>
#include <array>
#include <optional>

#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kLstmOptions[] = {{"activation", 0, Option::kByte},
                                   {"cell_clip", 1, Option::kFloat},
                                   {"proj_clip", 2, Option::kFloat},
                                   {"kernel_type", 3, Option::kByte}};
constexpr Option kSequenceLstmOptions[] = {{"activation", 0, Option::kByte},
                                           {"cell_clip", 1, Option::kFloat},
                                           {"proj_clip", 2, Option::kFloat},
                                           {"time_major", 3, Option::kByte}};
constexpr Option kSequenceRnnOptions[] = {{"time_major", 0, Option::kByte}, {"activation", 1, Option::kByte}};
constexpr Option kSvdfOptions[] = {{"rank", 0, Option::kInt}, {"activation", 1, Option::kByte}};
constexpr Option kBidirectionalLstmOptions[] = {{"activation", 0, Option::kByte},
                                                {"cell_clip", 1, Option::kFloat},
                                                {"proj_clip", 2, Option::kFloat},
                                                {"merge_outputs", 3, Option::kByte},
                                                {"time_major", 4, Option::kByte, 1}};
constexpr Option kBidirectionalRnnOptions[] = {
    {"time_major", 0, Option::kByte}, {"activation", 1, Option::kByte}, {"merge_outputs", 2, Option::kByte}};
constexpr std::int8_t kLstmStates[] = {18, 19};
constexpr std::int8_t kBasicLstmStates[] = {1, 4};
constexpr std::int8_t kBidirectionalLstmStates[] = {35, 36, 37, 38};
constexpr std::int8_t kLastState[] = {4};
constexpr std::int8_t kBidirectionalRnnStates[] = {4, 8};

constexpr int kGates = 4;  // input, forget, cell, output
constexpr int kForget = 1;
constexpr int kCell = 2;
constexpr int kOutput = 3;
// Numbers of an LSTM's first inputs of each kind, one for each gate; the cell has no peephole.
constexpr int kInputWeights = 1;
constexpr int kRecurrentWeights = 5;
constexpr int kPeepholes = 9;
constexpr int kBiases = 12;
constexpr int kProjection = 16;
constexpr int kNorms = 20;
constexpr int kNone = -1;

// The graph of a plan has the nodes of all steps.
constexpr std::int32_t kMaxSteps = 1 << 16;

Tensor times(const Tensor& x, const Tensor& weights, const Tensor& bias = {}) {
  return mat_mul(x, weights, bias, {.transpose_b = true});
}

Tensor clipped(const Call& call, std::string_view name, const Tensor& x) {
  const auto limit = static_cast<float>(call.attrs().number(name, 0));
  return limit > 0 ? clip_by_value(x, {.min = -limit, .max = limit}) : x;
}

/// Rounds the next value of the variable of an input to what its type can hold, if it is quantized.
Tensor round_state(const Call& call, int input, const Tensor& x) {
  const std::span<const double> numbers = call.attrs().numbers(text(kStatePrefix, input));
  if (numbers.size() != 3) return x;
  const auto number = [&](std::size_t i) { return static_cast<float>(numbers[i]); };
  const Tensor scale = Tensor::scalar(number(0));
  return mul(clip_by_value(round(div(x, scale)), {.min = number(1), .max = number(2)}), scale);
}

/// Gives the values of each row the mean 0 and the variance 1.
Tensor normalize_rows(const Tensor& x) {
  const ReduceAttrs last{.axes = {-1}, .keep_dims = true};
  const Tensor centered = sub(x, mean(x, last));
  return mul(centered, rsqrt(add(mean(square(centered), last), Tensor::scalar(1e-8F))));
}

struct LstmState {
  Tensor h;
  Tensor c;
};

/// The inputs of an LSTM in one direction.
struct LstmInputs {
  int first = 0;              ///< added to the numbers of its weights and biases
  int norms = kNorms;         ///< coefficients of the normalization, one for each gate; kNone for none
  int other_weights = kNone;  ///< of the other sequence of a bidirectional layer
};

/// Returns the next state. `products` are those of the input and the weights of each gate.
LstmState step_lstm(const Call& call, const LstmInputs& in, const std::array<Tensor, kGates>& products,
                    const LstmState& state) {
  const int first = in.first;
  const bool couples = !has(call, first + kInputWeights);
  const bool has_norm = in.norms != kNone && has(call, in.norms + kForget);
  const auto gate = [&](int i, const Tensor& c) {
    Tensor sums =
        add(products[static_cast<std::size_t>(i)], times(state.h, call[first + kRecurrentWeights + i]));
    const int peephole = first + kPeepholes + (i == kOutput ? 2 : i);
    if (i != kCell && has(call, peephole)) sums = add(sums, mul(c, call[peephole]));
    if (has_norm) sums = mul(normalize_rows(sums), call[in.norms + i]);
    const Tensor bias = optional(call, first + kBiases + i);
    return bias ? add(sums, bias) : sums;
  };
  const Tensor forget = sigmoid(gate(kForget, state.c));
  const Tensor input = couples ? sub(Tensor::scalar(1.0F), forget) : sigmoid(gate(0, state.c));
  const Tensor candidate = activate(call, gate(kCell, state.c));
  const Tensor sums = add(mul(forget, state.c), mul(input, candidate));
  const Tensor c = round_state(call, kLstmStates[1], clipped(call, "cell_clip", sums));
  Tensor h = mul(sigmoid(gate(kOutput, c)), activate(call, c));
  const int projection = first + kProjection;
  if (has(call, projection))
    h = clipped(call, "proj_clip", times(h, call[projection], optional(call, projection + 1)));
  return {round_state(call, kLstmStates[0], h), c};
}

/// The time steps of a sequence [batch, time, ...], or [time, batch, ...] if it is time-major.
class Sequence {
 public:
  Sequence(const Tensor& x, bool is_time_major) : is_time_major_(is_time_major) {
    check_shape(x.rank() == 3, "expected a sequence of rank 3, got ", x.shape());
    const Tensor sequence = is_time_major ? x : swap_axes(x);
    steps_ = sequence.dim(0);
    check_shape(steps_ > 0 && steps_ <= kMaxSteps, "it has ", steps_, " time steps, 1 to ", kMaxSteps,
                " are supported");
    rows_ = reshape(sequence, {Shape{-1, x.dim(2)}});
  }

  std::int32_t steps() const { return steps_; }
  /// Returns the rows of all steps, in the order of time.
  const Tensor& rows() const { return rows_; }
  /// Returns the part of such rows that belongs to a step.
  Tensor take(const Tensor& rows, std::int32_t step) const {
    if (steps_ == 1) return rows;
    const std::int32_t batch = rows.dim(0) / steps_;
    return slice(rows, {{step * batch, 0}, {batch, rows.dim(1)}});
  }
  /// Calls `step` with the number of each step, the last one first if `is_backward`. Returns the outputs in
  /// the sequence's order.
  template <class F>
  Tensor map(bool is_backward, const F& step) const {
    Tensors outputs(static_cast<std::size_t>(steps_));
    for (std::int32_t i = 0; i < steps_; ++i) {
      const std::int32_t t = is_backward ? steps_ - 1 - i : i;
      outputs[static_cast<std::size_t>(t)] = step(t);
    }
    const Tensor result = stack(outputs, {0});
    return is_time_major_ ? result : swap_axes(result);
  }

 private:
  /// Swaps the axes of the batch and of the time.
  static Tensor swap_axes(const Tensor& x) { return transpose(x, {Dims{1, 0, 2}}); }

  bool is_time_major_;
  std::int32_t steps_ = 0;
  Tensor rows_;
};

bool is_time_major(const Call& call) { return call.attrs().integer("time_major", 0) != 0; }

/// Runs an LSTM over a sequence, and returns its outputs. `other` is a second sequence, which may be null.
Tensor run_lstm(const Call& call, const LstmInputs& in, const Sequence& x, const Sequence* other,
                bool is_backward, LstmState& state) {
  std::array<Tensor, kGates> whole;
  for (int i = 0; i < kGates; ++i) {
    if (!has(call, in.first + kInputWeights + i)) continue;
    Tensor& products = whole[static_cast<std::size_t>(i)];
    products = times(x.rows(), call[in.first + kInputWeights + i]);
    if (other && has(call, in.other_weights + i))
      products = add(products, times(other->rows(), call[in.other_weights + i]));
  }
  return x.map(is_backward, [&](std::int32_t t) {
    std::array<Tensor, kGates> products;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      if (whole[i]) products[i] = x.take(whole[i], t);
    }
    state = step_lstm(call, in, products, state);
    return state.h;
  });
}

EdgeValues lstm_of_sequence(const Call& call) {
  LstmState state{call[18], call[19]};
  const Tensor result = run_lstm(call, {}, {call[0], is_time_major(call)}, nullptr, false, state);
  return {result, state.h, state.c};
}

/// The sequences of a bidirectional layer: its second sequence is read by both directions if it has weights
/// of its own, else it is what the backward direction reads.
struct TwoSequences {
  TwoSequences(const Call& call, int other, bool has_weights)
      : forward(call[0], is_time_major(call)), backward(forward) {
    if (!has(call, other)) return;
    if (has_weights) {
      both.emplace(call[other], is_time_major(call));
    } else {
      backward = Sequence(call[other], is_time_major(call));
    }
  }

  Sequence forward;
  Sequence backward;
  std::optional<Sequence> both = {};
};

/// Returns the outputs of two directions, as one if the attribute "merge_outputs" is set, and the states.
EdgeValues merge(const Call& call, const Tensor& forward, const Tensor& backward, EdgeValues states) {
  EdgeValues results;
  if (call.attrs().integer("merge_outputs", 0) != 0) {
    results = {concat({forward, backward}, {2})};
  } else {
    results = {forward, backward};
  }
  results.insert(results.end(), states.begin(), states.end());
  return results;
}

EdgeValues lstm_in_both_directions(const Call& call) {
  constexpr int kOther = 39;
  constexpr LstmInputs kForward{.first = 0, .norms = kNone, .other_weights = kOther + 1};
  constexpr LstmInputs kBackward{.first = 17, .norms = kNone, .other_weights = kOther + 5};
  const TwoSequences x(call, kOther, has(call, kForward.other_weights + kForget));
  const Sequence* both = x.both ? &*x.both : nullptr;
  LstmState before{call[35], call[36]};
  LstmState after{call[37], call[38]};
  const Tensor forward = run_lstm(call, kForward, x.forward, both, false, before);
  const Tensor backward = run_lstm(call, kBackward, x.backward, both, true, after);
  return merge(call, forward, backward, {before.h, before.c, after.h, after.c});
}

EdgeValues lstm_of_step(const Call& call) {
  check(call.attrs().integer("kernel_type", 0) == 0, "the kernel type BASIC has 5 inputs");
  std::array<Tensor, kGates> products;
  for (int i = 0; i < kGates; ++i) {
    if (has(call, kInputWeights + i))
      products[static_cast<std::size_t>(i)] = times(call[0], call[kInputWeights + i]);
  }
  const LstmState state = step_lstm(call, {}, products, {call[18], call[19]});
  return {state.h, state.h, state.c};
}

/// Rounds the sums of a quantized layer's gates to the integers of 16 bits, in steps of 1 / 4096, that LiteRT
/// computes its gates from.
Tensor round_sums(const Tensor& sums) {
  constexpr float kSteps = 4096;
  const Tensor rounded = round(mul(sums, Tensor::scalar(kSteps)));
  return mul(clip_by_value(rounded, {.min = INT16_MIN, .max = INT16_MAX}), Tensor::scalar(1 / kSteps));
}

/// An LSTM of the kernel type BASIC: the weights of its gates are a matrix, and its states are outputs, too.
EdgeValues step_basic_lstm(const Call& call) {
  const Tensor& weights = call[2];
  const Tensor& c = call[4];
  check_shape(weights.rank() == 2 && c.rank() == 2 && weights.dim(0) == kGates * c.dim(1), "weights of ",
              weights.shape(), " do not fit a state of ", c.shape());
  check(call[3].dtype() == DType::kFloat32, "its bias has no scale");
  check(call.node().outputs == 4, "it has ", call.node().outputs, " outputs, expected 4");
  const Tensor inputs = concat({call[0], call[1]}, {1});
  const bool is_quantized = call.attrs().has(text(kStatePrefix, int{kBasicLstmStates[1]}));
  const Tensor products = times(inputs, weights, call[3]);
  const Tensor sums = is_quantized ? round_sums(products) : products;
  const std::vector<std::int32_t> sizes(kGates, c.dim(1));
  const Tensors gates = split(sums, {.sizes = sizes, .axis = 1});
  const Tensor next = round_state(call, kBasicLstmStates[1],
                                  add(mul(sigmoid(gates[0]), tanh(gates[1])), mul(sigmoid(gates[2]), c)));
  const Tensor h = round_state(call, kBasicLstmStates[0], mul(sigmoid(gates[3]), tanh(next)));
  return {h, next, inputs, sums, h, next};
}

EdgeValues rnn_of_step(const Call& call) {
  const Tensor h = activate(call, add(times(call[0], call[1], optional(call, 3)), times(call[4], call[2])));
  return {h, h};
}

/// Runs a simple recurrent layer, whose weights, recurrent weights and bias are the inputs from `first` on,
/// over a sequence. `other` is a second sequence with the weights of input `other_weights`; it may be null.
Tensor run_rnn(const Call& call, int first, const Sequence& x, const Sequence* other, int other_weights,
               bool is_backward, Tensor& h) {
  Tensor products = times(x.rows(), call[first], optional(call, first + 2));
  if (other) products = add(products, times(other->rows(), call[other_weights]));
  return x.map(is_backward, [&](std::int32_t t) {
    h = activate(call, add(x.take(products, t), times(h, call[first + 1])));
    return h;
  });
}

EdgeValues rnn_of_sequence(const Call& call) {
  Tensor h = call[4];
  const Tensor result = run_rnn(call, 1, {call[0], is_time_major(call)}, nullptr, 0, false, h);
  return {result, h};
}

EdgeValues rnn_in_both_directions(const Call& call) {
  constexpr int kOther = 9;
  constexpr int kBackward = 5;
  const TwoSequences x(call, kOther, has(call, kOther + 1));
  const Sequence* both = x.both ? &*x.both : nullptr;
  Tensor before = call[4];
  Tensor after = call[8];
  const Tensor forward = run_rnn(call, 1, x.forward, both, kOther + 1, false, before);
  const Tensor backward = run_rnn(call, kBackward, x.backward, both, kOther + 2, true, after);
  return merge(call, forward, backward, {before, after});
}

/// A layer of singular value decomposition filters: the state has the last features of each filter.
EdgeValues filtered(const Call& call) {
  const std::int32_t rank = call.attrs().integer("rank", 0);
  const Tensor& weights = call[2];
  check_shape(weights.rank() == 2 && weights.dim(1) > 0 && rank > 0 && weights.dim(0) % rank == 0,
              "weights of ", weights.shape(), " do not fit filters of rank ", rank);
  const std::int32_t filters = weights.dim(0);
  const std::int32_t memory = weights.dim(1);
  const Tensor features = round_state(call, kLastState[0], times(call[0], call[1]));
  const std::int32_t batch = features.dim(0);
  const Tensor before = reshape(call[4], {Shape{batch, filters, memory}});
  const Tensor state = concat({slice(before, {{0, 0, 1}, {batch, filters, memory - 1}}),
                               reshape(features, {Shape{batch, filters, 1}})},
                              {2});
  const Tensor sums = reshape(sum(mul(state, weights), {.axes = {2}}), {Shape{batch, filters / rank, rank}});
  Tensor result = sum(sums, {.axes = {2}});
  if (has(call, 3)) result = add(result, call[3]);
  return {activate(call, result), reshape(state, {call[4].shape()})};
}

constexpr OpRow kRows[] = {
    {kLstm, {"LSTM", lstm_of_step}, kLstmOptions, Quantized::kReal, Filter::kNone, kLstmStates},
    {kBasicLstm, {"LSTM", step_basic_lstm}, {}, Quantized::kReal, Filter::kNone, kBasicLstmStates},
    {24, {"RNN", rnn_of_step}, kActivationOption, Quantized::kReal, Filter::kNone, kLastState},
    {27, {"SVDF", filtered}, kSvdfOptions, Quantized::kReal, Filter::kNone, kLastState},
    {35,
     {"UNIDIRECTIONAL_SEQUENCE_RNN", rnn_of_sequence},
     kSequenceRnnOptions,
     Quantized::kReal,
     Filter::kNone,
     kLastState},
    {44,
     {"UNIDIRECTIONAL_SEQUENCE_LSTM", lstm_of_sequence},
     kSequenceLstmOptions,
     Quantized::kReal,
     Filter::kNone,
     kLstmStates},
    {46,
     {"BIDIRECTIONAL_SEQUENCE_RNN", rnn_in_both_directions},
     kBidirectionalRnnOptions,
     Quantized::kReal,
     Filter::kNone,
     kBidirectionalRnnStates},
    {52,
     {"BIDIRECTIONAL_SEQUENCE_LSTM", lstm_in_both_directions},
     kBidirectionalLstmOptions,
     Quantized::kReal,
     Filter::kNone,
     kBidirectionalLstmStates},
};

}  // namespace

std::span<const OpRow> recurrent_rows() { return kRows; }

}  // namespace tenure::tflite
