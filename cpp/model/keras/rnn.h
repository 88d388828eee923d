#pragma once

#include <functional>

#include "model/keras/rnn_cell.h"

namespace tenure::keras {

/// A cell run over the steps of [batch, steps, features]: RNN, SimpleRNN, GRU and LSTM. Inputs beyond the
/// first are the initial states. Returns the last output or, with return_sequences, all; with return_state
/// also the last states.
class Rnn final : public Layer {
 public:
  Rnn(std::string class_name, const Config& config);

  bool go_backwards() const { return go_backwards_; }
  void set_go_backwards(bool value) { go_backwards_ = value; }
  bool return_sequences() const { return return_sequences_; }
  bool return_state() const { return return_state_; }

  void collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out) override;

 protected:
  void build(const Specs& inputs, WorkLimit& work) override;
  Specs infer(const Specs& inputs, WorkLimit& work) override;
  Tensors call(const LayerCall& call) override;
  Tensors masks(const LayerCall& call) const override;

 private:
  Tensors initial_states(const LayerCall& call) const;

  RnnCellPtr cell_;
  bool return_sequences_;
  bool return_state_;
  bool go_backwards_;
};

/// What `infer` says of one step, told of as many as the first input has, which may be more than memory
/// holds: they stand in the first `sequences` outputs.
Specs infer_by_one_step(const Specs& inputs, std::size_t sequences,
                        const std::function<Specs(const Specs&)>& infer);

}  // namespace tenure::keras
