#pragma once

#include "import/keras/layer.h"

namespace tenure::keras {

/// Data of a simple cell, prepared once per call for all steps: the weights in the layout of step() and, in
/// training, the dropout masks of its input and of its first state.
struct PreparedCell {
  Tensors weights;
  Tensors input_masks;  ///< [batch, ...]; empty without dropout
  Tensors state_masks;
};

/// Dropout of a cell's inputs and of its first state in training. A rate outside (0, 1) drops nothing, as in
/// TensorFlow.js.
class CellDropout {
 public:
  explicit CellDropout(const Config& config);
  /// Draws `count` masks of each kind for inputs and states of these shapes into `cell`.
  void draw(const Shape& input, const Shape& state, int count, PreparedCell& cell) const;

 private:
  float input_rate_;
  float state_rate_;
};

/// One step of a recurrent layer. A step is split into project(), which needs no state and so runs for all
/// steps at once, and step(). As a layer a cell takes [x, states...] and returns [output, states...].
class RnnCell : public Layer {
 public:
  using Layer::Layer;

  /// Returns the rank of a step's input, [batch, ...].
  virtual int input_rank() const { return 2; }
  /// Returns the specs of the states for a step's input of this shape. The first is also the output's.
  virtual Specs state_specs(const Shape& input) const = 0;
  /// Declares the weights for a step's input of this shape.
  virtual void add_weights(const Shape& input) = 0;
  /// Returns the number of simple cells that prepare() appends.
  virtual std::size_t cell_count() const { return 1; }
  /// Appends the data of each simple cell for a step's input of this shape.
  virtual void prepare(const Shape& input, bool training, std::vector<PreparedCell>& prepared) const = 0;
  /// Projects the inputs of all steps, [steps * batch, ...], to tensors with as many rows.
  virtual Tensors project(std::span<const PreparedCell> prepared, const Tensor& rows) const = 0;
  /// Runs one step on its rows of each projection. Returns the output, then the new states.
  virtual Tensors step(std::span<const PreparedCell> prepared, const Tensors& projected,
                       std::span<const Tensor> states) const = 0;
  /// Converts a state or output [batch, ...] from the caller's layout to that of step().
  virtual Tensor to_cell_layout(const Tensor& state) const { return state; }
  /// Converts a state or output [batch, ...] from the layout of step() to the caller's.
  virtual Tensor from_cell_layout(const Tensor& state) const { return state; }

 protected:
  void build(const Specs& inputs, CallBudget& budget) override;
  /// Returns the specs of the output and the states. `inputs` may lack the states, as when a recurrent layer
  /// builds its cell.
  Specs infer(const Specs& inputs, CallBudget& budget) override;
  Tensors call(const LayerCall& call) override;
};

using RnnCellPtr = std::unique_ptr<RnnCell>;

/// Returns rows [steps * batch, ...] times a mask [batch, ...], repeated for each step.
Tensor apply_dropout(const Tensor& x, const Tensor& mask);

/// Returns the cell of SimpleRNN, GRU, LSTM or ConvLSTM2D, by the class name of the layer or of the cell
/// ("SimpleRNNCell"). Throws for any other class.
RnnCellPtr make_simple_cell(std::string class_name, const Config& config);
RnnCellPtr make_conv_lstm_cell(std::string class_name, const Config& config);
/// Returns a cell made from {class_name, config}, which may be StackedRNNCells, or a stack made from a list
/// of cells.
RnnCellPtr make_rnn_cell(const Json& json, const Config& owner);

}  // namespace tenure::keras
