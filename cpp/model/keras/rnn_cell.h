#pragma once

#include "model/keras/layer.h"

namespace tenure::keras {

/// One step of a recurrent layer. A step falls into a projection of its input, which needs no state and so is
/// done for all steps at once, and the rest. As a layer it takes [x, states...] and gives [output,
/// states...].
class RnnCell : public Layer {
 public:
  using Layer::Layer;

  /// Sizes of the states; the first is also that of the output.
  virtual std::vector<std::int32_t> state_sizes() const = 0;
  /// Declares the weights for inputs of this many features.
  virtual void add_weights(std::int32_t features) = 0;
  /// How many lists prepare() appends: one for each simple cell.
  virtual std::size_t cell_count() const { return 1; }
  /// The weights in the form that steps want; made once for all steps.
  virtual void prepare(std::vector<Tensors>& prepared) const = 0;
  /// Rows [steps * batch, features] to tensors of as many rows.
  virtual Tensors project(std::span<const Tensors> prepared, const Tensor& rows) const = 0;
  /// One step, given its rows of each projection: the output, then the new states.
  virtual Tensors step(std::span<const Tensors> prepared, const Tensors& projected,
                       std::span<const Tensor> states) const = 0;

 protected:
  Tensors call(const LayerCall& call) override;
};

using RnnCellPtr = std::unique_ptr<RnnCell>;

/// The cell of SimpleRNN, GRU or LSTM, named by the layer or as SimpleRNNCell ... Throws for any other class.
RnnCellPtr make_simple_cell(const std::string& class_name, const Config& config);
/// A cell from {class_name, config}, StackedRNNCells included, or a stack from a list of cells.
RnnCellPtr make_rnn_cell(const Json& json, const Config& owner);

}  // namespace tenure::keras
