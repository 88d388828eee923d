#pragma once

#include <functional>

#include "core/memory/memory_user.h"
#include "import/keras/rnn/rnn_cell.h"

namespace tenure::keras {

/// A cell run over the steps of [batch, steps, ...]: RNN, SimpleRNN, GRU, LSTM and ConvLSTM2D. Inputs beyond
/// the first are the initial states. Returns the last output or, with return_sequences, all; with
/// return_state also the last states. A stateful one begins where its last call ended.
class Rnn final : public Layer, private MemoryUser {
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
  bool runs_at_once() const override { return stateful_; }
  Tensors states() const override;
  void set_states(std::span<const Tensor> states) override;
  /// Throws where its next call cannot begin with these states.
  void check_states(std::span<const Tensor> states) const;

 protected:
  void build(const Specs& inputs, WorkLimit& work) override;
  Specs infer(const Specs& inputs, WorkLimit& work) override;
  Tensors call(const LayerCall& call) override;
  Tensors masks(const LayerCall& call) const override;

 private:
  void add_to(Account& account) const override;
  void declare_states(const Shape& input);
  Tensors initial_states(const LayerCall& call) const;
  Tensors run_steps(const LayerCall& call) const;
  /// From how steps have an output, or all of them, to how callers know it.
  Tensor outputs_from(const Tensor& y) const;

  RnnCellPtr cell_;
  bool return_sequences_;
  bool return_state_;
  bool go_backwards_;
  bool stateful_;
  Specs state_specs_;  ///< of a stateful one
  Tensors states_;     ///< where its next call begins; none at the start
};

/// What `infer` says of one step, told of as many as the first input has, which may be more than memory
/// holds: they stand in the first `sequences` outputs.
Specs infer_by_one_step(const Specs& inputs, std::size_t sequences,
                        const std::function<Specs(const Specs&)>& infer);

}  // namespace tenure::keras
