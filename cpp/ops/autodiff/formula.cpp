#include "ops/autodiff/formula.h"

#include <bit>

#include "core/run/dispatch.h"

namespace tenure {

Tensor Formula::evaluate(std::initializer_list<const Tensor*> operands, AttrsView attrs) const {
  std::array<Tensor, 8> stack;
  std::size_t top = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const std::uint16_t word = words_[i];
    if (word >= kOperands) {
      stack[top++] = *operands.begin()[word - kOperands];
    } else if (word >= kConstants) {
      stack[top++] = Tensor::scalar(constants_[word - kConstants]);
    } else if (word >= kAttributes) {
      stack[top++] = Tensor::scalar(std::bit_cast<float>(attrs.words()[word - kAttributes]));
    } else if (const Op op = static_cast<Op>(word); op == Op::step) {
      const float alpha = stack[--top].data<float>()[0];
      stack[top - 1] = run(op, {&stack[top - 1]}, AttrsView(AlphaAttrs{alpha}));
    } else {
      constexpr std::size_t kMaxInputs = 3;
      const std::size_t count = op_def(op).input_count;
      top -= count;
      const Tensor* inputs[kMaxInputs];
      for (std::size_t k = 0; k < count; ++k) inputs[k] = &stack[top + k];
      stack[top] = run(op, Inputs(std::span<const Tensor* const>(inputs, count)));
      ++top;
    }
  }
  return stack[0];
}

}  // namespace tenure
