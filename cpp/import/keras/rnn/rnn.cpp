#include "import/keras/rnn/rnn.h"

#include "core/error.h"
#include "import/keras/families.h"
#include "import/keras/rnn/scan.h"
#include "ops/collapsed_extent.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

/// Returns [batch, steps, ...] as [steps * batch, ...]. The rows of one step are contiguous, so that slicing
/// them copies nothing.
Tensor to_time_major(const Tensor& x) {
  Shape rows = {collapsed_extent({x.dim(0), x.dim(1)})};
  for (int i = 2; i < x.rank(); ++i) rows.push_back(x.dim(i));
  if (x.dim(0) == 1) return reshape(x, {rows});
  PermutationAttrs swap{.perm = {1, 0}};
  for (int i = 2; i < x.rank(); ++i) swap.perm.push_back(i);
  return reshape(transpose(x, swap), {rows});
}

/// Returns the shape of one step of [batch, steps, ...]: [batch, ...].
Shape step_shape(Shape input) {
  input.erase(1);
  return input;
}

RnnCellPtr make_cell(const std::string& class_name, const Config& config) {
  return class_name == "RNN" ? make_rnn_cell(config.value("cell"), config)
                             : make_simple_cell(class_name, config);
}

constexpr LayerRow kRows[] = {
    {"RNN", make<Rnn>},  {"SimpleRNN", make<Rnn>},  {"GRU", make<Rnn>},
    {"LSTM", make<Rnn>}, {"ConvLSTM2D", make<Rnn>},
};

}  // namespace

std::span<const LayerRow> recurrent_layers() { return kRows; }

Rnn::Rnn(std::string class_name, const Config& config)
    : Layer(std::move(class_name), config),
      cell_(make_cell(this->class_name(), config)),
      return_sequences_(config.flag("return_sequences")),
      return_state_(config.flag("return_state")),
      go_backwards_(config.flag("go_backwards")),
      stateful_(config.flag("stateful")) {
  if (cell_->input_rank() > 2 && config.flag("unroll"))
    config.fail("Unrolling is not possible with convolutional RNNs.");
}

void Rnn::build(const Specs& inputs, CallBudget&) {
  const Shape& input = inputs[0].shape;
  check_rank(input, cell_->input_rank() + 1);
  if (stateful_) declare_states(input);
  cell_->add_weights(step_shape(input));
}

void Rnn::declare_states(const Shape& input) {
  check_shape(input[0] >= 0,
              "If an RNN is stateful, it needs to know its batch size. Specify the batch size of your input "
              "tensors: \n- If using a Sequential model, specify the batch size by passing a "
              "`batchInputShape` option to your first layer.\n- If using the functional API, specify the "
              "batch size by passing a `batchShape` option to your Input layer.");
  state_specs_ = cell_->state_specs(step_shape(input));
  for (const TensorSpec& spec : state_specs_) {
    check_shape(!spec.shape.contains(-1),
                "a stateful layer needs to know all extents of its input but the steps");
  }
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

Specs Rnn::infer(const Specs& inputs, CallBudget& budget) {
  return infer_by_one_step(inputs, return_sequences_ ? 1 : 0,
                           [&](const Specs& one) { return Layer::infer(one, budget); });
}

Tensors Rnn::masks(const LayerCall& call) const {
  if (!return_sequences_) return {};
  return {call.masks[0]};
}

void Rnn::collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out) {
  cell_->collect_weights(prefix, trainable && trainable_, out);
}

void Rnn::check_states(std::span<const Tensor> states) const {
  check(states.size() == state_specs_.size(), "Layer ", name(), " expects ", state_specs_.size(),
        " state(s), but it received ", states.size(), " state value(s).");
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Shape& expected = state_specs_[i].shape;
    check_shape(states[i].shape() == expected, "State ", i, " is incompatible with layer ", name(),
                ": expected shape=", expected, ", received shape=", states[i].shape());
  }
}

Tensors Rnn::states() const {
  if (!states_.empty()) return states_;
  Tensors zeros;
  for (const TensorSpec& state : state_specs_) zeros.push_back(fill({.shape = state.shape}));
  return zeros;
}

void Rnn::set_states(std::span<const Tensor> states) {
  if (!states.empty()) check_states(states);
  states_.assign(states.begin(), states.end());
}

void Rnn::add_to(MemoryReport& report) const {
  for (const Tensor& state : states_) report.add(MemoryPart::kWeights, state.storage().get());
}

Tensors Rnn::initial_states(const LayerCall& call) const {
  const Specs specs = cell_->state_specs(step_shape(call.inputs[0].shape()));
  const bool uses_states = call.inputs.size() == 1 && call.inputs[0].has_data();
  const std::span given = uses_states ? std::span(states_) : std::span(call.inputs).subspan(1);
  check(given.empty() || given.size() == specs.size(), "RNN Layer has ", specs.size(),
        " state(s) but was passed ", given.size(), " initial state(s).");
  Tensors states;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const Shape& shape = specs[i].shape;
    Tensor state = given.empty() ? fill({.shape = shape}) : given[i];
    check_shape(state.shape() == shape, "expects an initial state of shape ", shape, ", got ", state.shape());
    if (state.dtype() != DType::kFloat32) state = cast(state, {DType::kFloat32});
    states.push_back(cell_->to_cell_layout(state));
  }
  return states;
}

Tensor Rnn::to_caller_layout(const Tensor& y) const {
  // Outputs of rank 2 per step have no layout to convert, so the sequence needs no reshape.
  if (!return_sequences_ || y.rank() == 3) return cell_->from_cell_layout(y);
  Shape collapsed = step_shape(y.shape());
  collapsed[0] = collapsed_extent({y.dim(0), y.dim(1)});
  const Tensor flattened = reshape(y, {collapsed});
  const Tensor outputs = cell_->from_cell_layout(flattened);
  Shape shape = outputs.shape();
  shape[0] = y.dim(1);
  shape.insert(0, y.dim(0));
  return reshape(outputs, {shape});
}

Tensors Rnn::run_steps(const LayerCall& call) const {
  const Tensor& x = call.inputs[0];
  std::vector<PreparedCell> prepared;
  cell_->prepare(step_shape(x.shape()), call.context.training, prepared);
  Tensors sequences = cell_->project(prepared, to_time_major(x));
  Tensors carried = initial_states(call);
  const Tensor& mask = call.masks[0];
  const bool is_masked = mask && mask.rank() == 2;
  if (is_masked) {
    Shape column = {collapsed_extent({x.dim(0), x.dim(1)})};
    while (column.rank < carried[0].rank()) column.push_back(1);
    const Tensor by_step = to_time_major(mask);
    sequences.push_back(reshape(by_step, {column}));
  }
  const auto step = [&](const Tensors& rows, const Tensors& before) -> Tensors {
    if (!is_masked) return cell_->step(prepared, rows, before);
    Tensors results = cell_->step(prepared, {rows.begin(), rows.end() - 1}, before);
    for (std::size_t i = 0; i < before.size(); ++i)
      results[i + 1] = where(rows.back(), results[i + 1], before[i]);
    // A cell's output is its first state.
    results[0] = results[1];
    return results;
  };
  const ScanOptions how{.batch = x.dim(0),
                        .steps = x.dim(1),
                        .cells = static_cast<std::int32_t>(cell_->cell_count()),
                        .backwards = go_backwards_,
                        .all = return_sequences_};
  return scan(how, sequences, std::move(carried), step, call.context);
}

Tensors Rnn::call(const LayerCall& call) {
  const Tensor& x = call.inputs[0];
  const int rank = cell_->input_rank() + 1;
  check_shape(x.rank() == rank, "Input should be at least 3D, but is ", x.rank(), "D.");
  check_shape(x.dim(1) > 0, "cannot run over 0 steps");
  Tensors results = run_steps(call);
  results[0] = to_caller_layout(results[0]);
  for (std::size_t i = 1; i < results.size(); ++i) results[i] = cell_->from_cell_layout(results[i]);
  if (stateful_ && x.has_data()) {
    states_.assign(results.begin() + 1, results.end());
    // Gradients do not flow into the previous call.
    for (Tensor& state : states_) state.set_value(0);
  }
  if (!return_state_) results.resize(1);
  return results;
}

}  // namespace tenure::keras
