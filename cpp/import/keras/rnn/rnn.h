#pragma once

#include <functional>

#include "core/memory/memory_tracked.h"
#include "import/keras/rnn/rnn_cell.h"

namespace tenure::keras {

/// Recurrent layer: runs a cell over the steps of [batch, steps, ...]. Implements RNN, SimpleRNN, GRU, LSTM
/// and ConvLSTM2D. Inputs after the first are the initial states. Returns the last output or, with
/// return_sequences, all outputs; with return_state also the final states. A stateful layer starts with the
/// final states of its previous call.
class Rnn final : public Layer, private MemoryTracked {
 public:
  Rnn(std::string class_name, const Config& config);
  ~Rnn() override { unlist(); }
  Rnn(const Rnn&) = delete;
  Rnn& operator=(const Rnn&) = delete;

  bool go_backwards() const { return go_backwards_; }
  void set_go_backwards(bool value) { go_backwards_ = value; }
  bool return_sequences() const { return return_sequences_; }
  bool return_state() const { return return_state_; }

  void collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out) override;
  bool must_run_eagerly() const override { return stateful_; }
  Tensors states() const override;
  void set_states(std::span<const Tensor> states) override;
  /// Throws unless the next call can start with these states: their number and shapes must match.
  void check_states(std::span<const Tensor> states) const;

 protected:
  void build(const Specs& inputs, CallBudget& budget) override;
  Specs infer(const Specs& inputs, CallBudget& budget) override;
  Tensors call(const LayerCall& call) override;
  Tensors masks(const LayerCall& call) const override;

 private:
  void add_to(MemoryReport& report) const override;
  void declare_states(const Shape& input);
  Tensors initial_states(const LayerCall& call) const;
  Tensors run_steps(const LayerCall& call) const;
  /// Converts the output of the last step, or the sequence of all outputs, from the cell's layout to the
  /// caller's.
  Tensor to_caller_layout(const Tensor& y) const;

  RnnCellPtr cell_;
  bool return_sequences_;
  bool return_state_;
  bool go_backwards_;
  bool stateful_;
  Specs state_specs_;  ///< empty unless stateful
  Tensors states_;     ///< states for the next call; empty at the start
};

/// Returns infer() of a single step, with the first input's number of steps set in the first `sequences`
/// outputs. A whole sequence may be more than memory holds.
Specs infer_by_one_step(const Specs& inputs, std::size_t sequences,
                        const std::function<Specs(const Specs&)>& infer);

}  // namespace tenure::keras
