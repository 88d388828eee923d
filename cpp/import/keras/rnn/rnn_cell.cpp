#include "import/keras/rnn/rnn_cell.h"

#include "core/error.h"
#include "ops/ops.h"

namespace tenure::keras {
namespace {

/// Returns a dropout mask: 0 with probability `rate`, else 1 / (1 - rate).
Tensor draw_mask(const Shape& shape, float rate) {
  const float kept = 1 - rate;
  const Tensor mask = floor(add(random_uniform({.shape = shape}), Tensor::scalar(kept)));
  return mul(mask, Tensor::scalar(1 / kept));
}

Tensors draw_masks(const Shape& shape, float rate, int count) {
  Tensors masks;
  for (int i = 0; i < count && rate > 0 && rate < 1; ++i) masks.push_back(draw_mask(shape, rate));
  return masks;
}

}  // namespace

CellDropout::CellDropout(const Config& config)
    : input_rate_(config.number("dropout")), state_rate_(config.number("recurrent_dropout")) {}

void CellDropout::draw(const Shape& input, const Shape& state, int count, PreparedCell& cell) const {
  cell.input_masks = draw_masks(input, input_rate_, count);
  cell.state_masks = draw_masks(state, state_rate_, count);
}

Tensor apply_dropout(const Tensor& x, const Tensor& mask) {
  if (x.shape() == mask.shape()) return mul(x, mask);
  Shape by_step = mask.shape();
  by_step.insert(0, x.dim(0) / mask.dim(0));
  const Tensor steps = reshape(x, {by_step});
  return reshape(mul(steps, mask), {x.shape()});
}

void RnnCell::build(const Specs& inputs, CallBudget&) {
  const Shape& input = inputs[0].shape;
  check_rank(input, input_rank());
  add_weights(input);
}

Specs RnnCell::infer(const Specs& inputs, CallBudget&) {
  Specs specs = state_specs(inputs[0].shape);
  specs.insert(specs.begin(), specs[0]);
  return specs;
}

Tensors RnnCell::call(const LayerCall& call) {
  const Tensor& x = call.inputs[0];
  const Specs specs = state_specs(x.shape());
  check(call.inputs.size() == specs.size() + 1, class_name(), " expects ", specs.size() + 1,
        " input Tensors, the input and its states, got ", call.inputs.size());
  std::vector<PreparedCell> prepared;
  prepare(x.shape(), call.context.training, prepared);
  Tensors states;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const Tensor& state = call.inputs[i + 1];
    check_shape(state.shape() == specs[i].shape, "expects state ", i, " to have the shape ", specs[i].shape,
                ", got ", state.shape());
    states.push_back(to_cell_layout(state));
  }
  Tensors results = step(prepared, project(prepared, x), states);
  for (Tensor& result : results) result = from_cell_layout(result);
  return results;
}

}  // namespace tenure::keras
