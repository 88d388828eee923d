#include "model/keras/rnn.h"

#include <algorithm>

#include "core/error.h"
#include "model/keras/families.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

/// [batch, steps, ...] to [steps * batch, ...]: rows of one step lie together, so that taking them copies
/// nothing.
Tensor to_time_major(const Tensor& x) {
  Shape rows = {x.dim(0) * x.dim(1)};
  for (int i = 2; i < x.rank(); ++i) rows.push_back(x.dim(i));
  if (x.dim(0) == 1) return reshape(x, {rows});
  PermutationAttrs swap{.perm = {1, 0}};
  for (int i = 2; i < x.rank(); ++i) swap.perm.push_back(i);
  return reshape(transpose({&x}, swap), {rows});
}

Tensor rows_of_step(const Tensor& rows, std::int32_t step, std::int32_t batch) {
  return slice({&rows}, {.begin = {step * batch, 0}, .size = {batch, rows.dim(1)}});
}

/// Joins any number of [batch, units] to [batch, steps, units]. One concat takes a limited number of inputs.
Tensor join_steps(Tensors steps) {
  constexpr std::size_t kMostInputs = 1024;
  const std::int32_t batch = steps[0].dim(0);
  const std::int32_t units = steps[0].dim(1);
  const auto count = static_cast<std::int32_t>(steps.size());
  while (steps.size() > 1) {
    Tensors joined;
    for (std::size_t first = 0; first < steps.size(); first += kMostInputs) {
      std::vector<const Tensor*> group;
      for (std::size_t i = first; i < std::min(first + kMostInputs, steps.size()); ++i)
        group.push_back(&steps[i]);
      joined.push_back(concat(Inputs(std::span<const Tensor* const>(group)), {0}));
    }
    steps = std::move(joined);
  }
  if (batch == 1) return reshape(steps[0], {{1, count, units}});
  const Tensor by_step = reshape(steps[0], {{count, batch, units}});
  return transpose({&by_step}, {.perm = {1, 0, 2}});
}

RnnCellPtr make_cell(const std::string& class_name, const Config& config) {
  return class_name == "RNN" ? make_rnn_cell(config.value("cell"), config)
                             : make_simple_cell(class_name, config);
}

constexpr LayerRow kRows[] = {
    {"RNN", make<Rnn>},
    {"SimpleRNN", make<Rnn>},
    {"GRU", make<Rnn>},
    {"LSTM", make<Rnn>},
};

}  // namespace

std::span<const LayerRow> recurrent_layers() { return kRows; }

Rnn::Rnn(std::string class_name, const Config& config)
    : Layer(std::move(class_name), config),
      cell_(make_cell(this->class_name(), config)),
      return_sequences_(config.flag("return_sequences", false)),
      return_state_(config.flag("return_state", false)),
      go_backwards_(config.flag("go_backwards", false)) {
  if (config.flag("stateful", false)) config.fail("stateful recurrent layers are not supported");
}

void Rnn::build(const Specs& inputs, WorkLimit&) {
  check(!inputs.empty() && inputs[0].shape.rank == 3, "Input 0 is incompatible with layer ", name(),
        ": expected ndim=3");
  cell_->add_weights(inputs[0].shape[2]);
}

Tensors Rnn::masks(const LayerCall& call) const {
  if (!return_sequences_) return {};
  return {call.masks[0]};
}

void Rnn::collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out) {
  cell_->collect_weights(prefix, trainable && trainable_, out);
}

Tensors Rnn::initial_states(const LayerCall& call) const {
  if (call.inputs.size() > 1) return {call.inputs.begin() + 1, call.inputs.end()};
  Tensors states;
  for (const std::int32_t size : cell_->state_sizes())
    states.push_back(fill({}, {.shape = {call.inputs[0].dim(0), size}}));
  return states;
}

Tensors Rnn::call(const LayerCall& call) {
  const Tensor& x = call.inputs[0];
  check_shape(x.rank() == 3, "Input should be at least 3D, but is ", x.rank(), "D.");
  check_shape(x.dim(1) > 0, "cannot run over 0 steps");
  const std::int32_t batch = x.dim(0);
  const std::int32_t steps = x.dim(1);
  Tensors states = initial_states(call);
  check(states.size() == cell_->state_sizes().size(), "expects ", cell_->state_sizes().size(),
        " initial states, got ", states.size());

  std::vector<Tensors> prepared;
  cell_->prepare(prepared);
  const Tensors projected = cell_->project(prepared, to_time_major(x));
  Tensor mask;
  if (call.masks[0]) {
    const Tensor by_step = to_time_major(call.masks[0]);
    mask = expand_dims(by_step, {1});
  }
  Tensors outputs;
  for (std::int32_t i = 0; i < steps; ++i) {
    const std::int32_t step = go_backwards_ ? steps - 1 - i : i;
    Tensors rows;
    for (const Tensor& projection : projected) rows.push_back(rows_of_step(projection, step, batch));
    Tensors result = cell_->step(prepared, rows, states);
    if (mask) {
      const Tensor counts = rows_of_step(mask, step, batch);
      result[0] = where({&counts, &result[0], &states[0]});
      for (std::size_t s = 0; s < states.size(); ++s)
        result[s + 1] = where({&counts, &result[s + 1], &states[s]});
    }
    if (return_sequences_ || i + 1 == steps) outputs.push_back(result[0]);
    states.assign(result.begin() + 1, result.end());
  }
  Tensors all = {return_sequences_ ? join_steps(std::move(outputs)) : outputs.back()};
  if (return_state_) all.insert(all.end(), states.begin(), states.end());
  return all;
}

}  // namespace tenure::keras
