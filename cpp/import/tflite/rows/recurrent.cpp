// Recurrent layers, unrolled over their time steps. Their states are variables of the model.

#include <algorithm>
#include <array>

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
constexpr std::int8_t kLstmStates[] = {18, 19};
constexpr std::int8_t kLastState[] = {4};

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

// The graph of a plan has the nodes of all steps.
constexpr std::int32_t kMaxSteps = 1 << 16;

Tensor times(const Tensor& x, const Tensor& weights, const Tensor& bias = {}) {
  return mat_mul(x, weights, bias, {.transpose_b = true});
}

Tensor clipped(const Call& call, std::string_view name, const Tensor& x) {
  const auto limit = static_cast<float>(call.attrs().number(name, 0));
  return limit > 0 ? clip_by_value(x, {.min = -limit, .max = limit}) : x;
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

/// Returns the next state. `products` are those of the input and the weights of each gate.
LstmState step_lstm(const Call& call, const std::array<Tensor, kGates>& products, const LstmState& state) {
  const bool couples = !has(call, kInputWeights);
  const bool has_norm = has(call, kNorms + kForget);
  const auto gate = [&](int i, const Tensor& c) {
    Tensor sums = add(products[static_cast<std::size_t>(i)], times(state.h, call[kRecurrentWeights + i]));
    const int peephole = kPeepholes + (i == kOutput ? 2 : i);
    if (i != kCell && has(call, peephole)) sums = add(sums, mul(c, call[peephole]));
    if (has_norm) sums = mul(normalize_rows(sums), call[kNorms + i]);
    const Tensor bias = optional(call, kBiases + i);
    return bias ? add(sums, bias) : sums;
  };
  const Tensor forget = sigmoid(gate(kForget, state.c));
  const Tensor input = couples ? sub(Tensor::scalar(1.0F), forget) : sigmoid(gate(0, state.c));
  const Tensor candidate = activate(call, gate(kCell, state.c));
  const Tensor c = clipped(call, "cell_clip", add(mul(forget, state.c), mul(input, candidate)));
  Tensor h = mul(sigmoid(gate(kOutput, c)), activate(call, c));
  if (has(call, kProjection))
    h = clipped(call, "proj_clip", times(h, call[kProjection], optional(call, kProjection + 1)));
  return {h, c};
}

Tensor take_step(const Tensor& x, std::int32_t steps, std::int32_t step) {
  if (steps == 1) return x;
  const std::int32_t batch = x.dim(0) / steps;
  return slice(x, {{step * batch, 0}, {batch, x.dim(1)}});
}

/// Runs `step` for each time step of [batch, time, ...], or [time, batch, ...] if it is time-major. `steps`
/// gets the rows of all steps, in the order of time. Returns the outputs in x's order.
template <class F>
Tensor for_each_step(const Tensor& x, bool is_time_major, const F& step) {
  check_shape(x.rank() == 3, "expected a sequence of rank 3, got ", x.shape());
  const PermutationAttrs swapped{Dims{1, 0, 2}};
  const Tensor sequence = is_time_major ? x : transpose(x, swapped);
  const std::int32_t count = sequence.dim(0);
  check_shape(count > 0 && count <= kMaxSteps, "it has ", count, " time steps, 1 to ", kMaxSteps,
              " are supported");
  const Tensor rows = reshape(sequence, {Shape{-1, x.dim(2)}});
  const Tensor outputs = stack(step(rows, count), {0});
  return is_time_major ? outputs : transpose(outputs, swapped);
}

EdgeValues lstm_of_sequence(const Call& call) {
  LstmState state{call[18], call[19]};
  const Tensor result = for_each_step(
      call[0], call.attrs().integer("time_major", 0) != 0, [&](const Tensor& rows, std::int32_t count) {
        std::array<Tensor, kGates> whole;
        for (int i = 0; i < kGates; ++i) {
          if (has(call, kInputWeights + i))
            whole[static_cast<std::size_t>(i)] = times(rows, call[kInputWeights + i]);
        }
        Tensors outputs;
        for (std::int32_t t = 0; t < count; ++t) {
          std::array<Tensor, kGates> products;
          for (std::size_t i = 0; i < whole.size(); ++i) {
            if (whole[i]) products[i] = take_step(whole[i], count, t);
          }
          state = step_lstm(call, products, state);
          outputs.push_back(state.h);
        }
        return outputs;
      });
  return {result, state.h, state.c};
}

EdgeValues lstm_of_step(const Call& call) {
  check(call.attrs().integer("kernel_type", 0) == 0, "the kernel type BASIC is not supported");
  std::array<Tensor, kGates> products;
  for (int i = 0; i < kGates; ++i) {
    if (has(call, kInputWeights + i))
      products[static_cast<std::size_t>(i)] = times(call[0], call[kInputWeights + i]);
  }
  const LstmState state = step_lstm(call, products, {call[18], call[19]});
  return {state.h, state.h, state.c};
}

EdgeValues rnn_of_step(const Call& call) {
  const Tensor h = activate(call, add(times(call[0], call[1], optional(call, 3)), times(call[4], call[2])));
  return {h, h};
}

EdgeValues rnn_of_sequence(const Call& call) {
  Tensor h = call[4];
  const Tensor result = for_each_step(
      call[0], call.attrs().integer("time_major", 0) != 0, [&](const Tensor& rows, std::int32_t count) {
        const Tensor products = times(rows, call[1], optional(call, 3));
        Tensors outputs;
        for (std::int32_t t = 0; t < count; ++t) {
          h = activate(call, add(take_step(products, count, t), times(h, call[2])));
          outputs.push_back(h);
        }
        return outputs;
      });
  return {result, h};
}

/// A layer of singular value decomposition filters: the state has the last features of each filter.
EdgeValues filtered(const Call& call) {
  const std::int32_t rank = call.attrs().integer("rank", 0);
  const Tensor& weights = call[2];
  check_shape(weights.rank() == 2 && weights.dim(1) > 0 && rank > 0 && weights.dim(0) % rank == 0,
              "weights of ", weights.shape(), " do not fit filters of rank ", rank);
  const std::int32_t filters = weights.dim(0);
  const std::int32_t memory = weights.dim(1);
  const Tensor features = times(call[0], call[1]);
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
    {16, {"LSTM", lstm_of_step}, kLstmOptions, Quantized::kReal, Filter::kNone, kLstmStates},
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
};

}  // namespace

std::span<const OpRow> recurrent_rows() { return kRows; }

}  // namespace tenure::tflite
