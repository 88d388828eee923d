#pragma once

#include "import/keras/layer.h"

namespace tenure::keras {

/// A simple cell made ready for all steps of a call: its weights in the form that steps want and, in
/// training, what drops parts of its inputs and of its first state, the same at all steps.
struct PreparedCell {
  Tensors weights;
  Tensors input_masks;  ///< [batch, ...], or none where nothing is dropped
  Tensors state_masks;
};

/// What a cell drops in training: a part of its inputs and a part of its first state. A rate that is not
/// between 0 and 1 drops nothing, as in TensorFlow.js.
class CellDropout {
 public:
  explicit CellDropout(const Config& config);
  /// Draws so many masks of each kind, for inputs and states of these shapes.
  void draw(const Shape& input, const Shape& state, int count, PreparedCell& cell) const;

 private:
  float of_inputs_;
  float of_states_;
};

/// One step of a recurrent layer. A step falls into a projection of its input, which needs no state and so is
/// done for all steps at once, and the rest. As a layer it takes [x, states...] and gives [output,
/// states...].
class RnnCell : public Layer {
 public:
  using Layer::Layer;

  /// The rank of a step's input, [batch, ...].
  virtual int input_rank() const { return 2; }
  /// The specs of the states for a step's input of this shape; the first is also the output's.
  virtual Specs state_specs(const Shape& input) const = 0;
  /// Declares the weights for steps' inputs of this shape.
  virtual void add_weights(const Shape& input) = 0;
  /// How many simple cells prepare() appends.
  virtual std::size_t cell_count() const { return 1; }
  /// Makes ready for steps' inputs of this shape.
  virtual void prepare(const Shape& input, bool training, std::vector<PreparedCell>& prepared) const = 0;
  /// The inputs of steps [steps * batch, ...] to tensors of as many rows.
  virtual Tensors project(std::span<const PreparedCell> prepared, const Tensor& rows) const = 0;
  /// One step, given its rows of each projection: the output, then the new states.
  virtual Tensors step(std::span<const PreparedCell> prepared, const Tensors& projected,
                       std::span<const Tensor> states) const = 0;
  /// A state or output [batch, ...] as steps have it, and back to how callers know it.
  virtual Tensor to_step(const Tensor& state) const { return state; }
  virtual Tensor from_step(const Tensor& state) const { return state; }

 protected:
  void build(const Specs& inputs, WorkLimit& work) override;
  /// Also for the input alone, as a layer that runs the cell builds it.
  Specs infer(const Specs& inputs, WorkLimit& work) override;
  Tensors call(const LayerCall& call) override;
};

using RnnCellPtr = std::unique_ptr<RnnCell>;

/// Rows [steps * batch, ...] times a mask [batch, ...].
Tensor dropped(const Tensor& x, const Tensor& mask);

/// The cell of SimpleRNN, GRU, LSTM or ConvLSTM2D, named by the layer or as SimpleRNNCell ... Throws for any
/// other class.
RnnCellPtr make_simple_cell(std::string class_name, const Config& config);
RnnCellPtr make_conv_lstm_cell(std::string class_name, const Config& config);
/// A cell from {class_name, config}, StackedRNNCells included, or a stack from a list of cells.
RnnCellPtr make_rnn_cell(const Json& json, const Config& owner);

}  // namespace tenure::keras
