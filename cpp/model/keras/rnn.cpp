#include "model/keras/rnn.h"

#include "core/error.h"
#include "model/keras/families.h"
#include "model/keras/scan.h"
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
  return reshape(transpose(x, swap), {rows});
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

Specs infer_by_one_step(const Specs& inputs, std::size_t sequences,
                        const std::function<Specs(const Specs&)>& infer) {
  if (inputs.empty() || inputs[0].shape.rank < 2 || inputs[0].shape[1] <= 0) return infer(inputs);
  Specs one = inputs;
  one[0].shape[1] = 1;
  Specs results = infer(one);
  for (std::size_t i = 0; i < sequences; ++i) results.at(i).shape[1] = inputs[0].shape[1];
  return results;
}

Specs Rnn::infer(const Specs& inputs, WorkLimit& work) {
  return infer_by_one_step(inputs, return_sequences_ ? 1 : 0,
                           [&](const Specs& one) { return Layer::infer(one, work); });
}

Tensors Rnn::masks(const LayerCall& call) const {
  if (!return_sequences_) return {};
  return {call.masks[0]};
}

void Rnn::collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out) {
  cell_->collect_weights(prefix, trainable && trainable_, out);
}

Tensors Rnn::initial_states(const LayerCall& call) const {
  const std::vector<std::int32_t> sizes = cell_->state_sizes();
  const std::int32_t batch = call.inputs[0].dim(0);
  const bool are_given = call.inputs.size() > 1;
  check(!are_given || call.inputs.size() == sizes.size() + 1, "expects ", sizes.size(),
        " initial states, got ", call.inputs.size() - 1);
  Tensors states;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Shape shape = {batch, sizes[i]};
    if (!are_given) {
      states.push_back(fill({.shape = shape}));
      continue;
    }
    const Tensor& state = call.inputs[i + 1];
    check_shape(state.shape() == shape, "expects an initial state of shape ", shape, ", got ", state.shape());
    states.push_back(state.dtype() == DType::kFloat32 ? state : cast(state, {DType::kFloat32}));
  }
  return states;
}

Tensors Rnn::call(const LayerCall& call) {
  const Tensor& x = call.inputs[0];
  check_shape(x.rank() == 3, "Input should be at least 3D, but is ", x.rank(), "D.");
  check_shape(x.dim(1) > 0, "cannot run over 0 steps");
  std::vector<Tensors> prepared;
  cell_->prepare(prepared);
  Tensors sequences = cell_->project(prepared, to_time_major(x));
  Tensors carried = initial_states(call);
  const Tensor& mask = call.masks[0];
  const bool is_masked = mask && mask.rank() == 2;
  if (is_masked) {
    const Tensor by_step = to_time_major(mask);
    sequences.push_back(expand_dims(by_step, {1}));
    // What a masked step gives: the output before it, or zeros at the start.
    carried.insert(carried.begin(), fill({.shape = carried[0].shape()}));
  }
  const auto step = [&](const Tensors& rows, const Tensors& before) -> Tensors {
    if (!is_masked) return cell_->step(prepared, rows, before);
    Tensors results = cell_->step(prepared, {rows.begin(), rows.end() - 1}, std::span(before).subspan(1));
    for (std::size_t i = 0; i < results.size(); ++i) results[i] = where(rows.back(), results[i], before[i]);
    results.insert(results.begin(), results[0]);
    return results;
  };
  const Scan how{.batch = x.dim(0),
                 .steps = x.dim(1),
                 .cells = static_cast<std::int32_t>(cell_->cell_count()),
                 .backwards = go_backwards_,
                 .all = return_sequences_};
  Tensors results = scan(how, sequences, std::move(carried), step, call.context);
  if (is_masked) results.erase(results.begin() + 1);
  if (!return_state_) results.resize(1);
  return results;
}

}  // namespace tenure::keras
