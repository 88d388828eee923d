#include "ops/autodiff/backward.h"

#include "core/error.h"
#include "ops/autodiff/gradient.h"
#include "ops/ops.h"

namespace tenure {
namespace {

/// Returns a constant gradient: complex64 for a complex tensor, float32 for every other dtype.
Tensor constant_like(const TensorSpec& like, float value) {
  const DType dtype = like.dtype == DType::kComplex64 ? DType::kComplex64 : DType::kFloat32;
  return fill({.shape = like.shape, .value = value, .dtype = dtype});
}

/// Returns TensorFlow.js's name of an op's kernel: its JavaScript name with a capital first letter, as in
/// "ArgMax".
std::string kernel_name(std::string_view js_name) {
  std::string name(js_name);
  if (name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

}  // namespace

Backward::Backward(Tape& tape, const Tensor& y, const Tensor& g)
    : tape_(tape), slots_(static_cast<std::size_t>(tape.values())), at_(tape.values() - 1) {
  check_shape(!g || g.shape() == y.shape(), "The shape of dy passed in grad(f)(x, dy) must match the shape ",
              "returned by f(x)");
  const int value = tape_.find(y.value());
  result_ = value;
  if (value >= 0)
    slots_[static_cast<std::size_t>(value)] = {true, g ? g : constant_like(y.spec(), 1), nullptr};
}

std::int32_t Backward::custom() const { return tape_.entries().back().custom; }

bool Backward::advance() {
  for (; Tape::Entry* entry = tape_.producer(at_); --at_, tape_.drop_last()) {
    Slot slot = std::exchange(slots_[static_cast<std::size_t>(at_)], {});
    if (!slot.reached) continue;
    flush_slices(slot);
    if (entry->op == Op::kCount) {
      pending_grad_ = slot.gradient ? slot.gradient : constant_like(entry->output.spec(), 0);
      return true;
    }
    const OpDef& def = op_def(entry->op);
    // A bool intermediate, such as a condition, passes no gradient on, so its op needs no gradient rule.
    if (def.gradient == Gradient::kNone && entry->output.dtype() == DType::kBool && at_ != result_) continue;
    if (def.gradient == Gradient::kNone) {
      fail("Cannot compute gradient: gradient function not found for ", kernel_name(def.js_name), ".");
    }
    if (entry->op == Op::slice && slot.gradient && try_add_slice(*entry, slot.gradient)) continue;
    const bool is_zero = def.gradient == Gradient::kZero || !slot.gradient;
    Tensors gradients;
    if (!is_zero) {
      std::vector<const Tensor*> inputs;
      for (const Tensor& input : entry->saved) inputs.push_back(&input);
      gradients = compute_gradients(entry->op, {Inputs(std::span<const Tensor* const>(inputs)),
                                                AttrsView(std::span<const std::int32_t>(entry->attrs)),
                                                entry->output, slot.gradient, entry->inputs});
    }
    for (std::size_t i = 0; i < entry->inputs.size(); ++i) {
      // Nothing flows to an input that the rule returns no gradient for.
      const bool is_reached = is_zero || (i < gradients.size() && gradients[i]);
      if (entry->inputs[i] != 0 && is_reached) add(*entry, i, is_zero ? Tensor() : gradients[i]);
    }
  }
  for (Slot& slot : slots_) flush_slices(slot);
  return false;
}

void Backward::flush_slices(Slot& slot) {
  if (!slot.slices) return;
  const Tensor joined = slot.slices->concat_gradients();
  slot.slices.reset();
  slot.gradient = slot.gradient ? tenure::add(slot.gradient, joined) : joined;
}

/// Collects the gradient of a slice with those of other slices of the same tensor. Returns false if the slice
/// does not fit there: then the gradient rule of the op applies.
bool Backward::try_add_slice(const Tape::Entry& entry, const Tensor& gradient) {
  if (entry.inputs[0] == 0) return true;
  Slot& slot = slots_[static_cast<std::size_t>(tape_.find(entry.inputs[0]))];
  const AttrsView attrs{std::span<const std::int32_t>(entry.attrs)};
  auto slices = slot.slices ? std::move(slot.slices) : std::make_unique<SliceGradients>();
  const bool is_added = slices->try_add(entry.saved[0].shape(), attrs.as<SliceAttrs>(), gradient);
  if (!slices->empty()) slot.slices = std::move(slices);
  slot.reached |= is_added;
  return is_added;
}

void Backward::resume_with(std::span<const Tensor> gradients) {
  const Tape::Entry& entry = tape_.entries().back();
  check(gradients.size() == entry.inputs.size(), "expected ", entry.inputs.size(), " gradients, got ",
        gradients.size());
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    check(gradients[i].dtype() == DType::kFloat32, "Error in gradient for op Custom. The gradient of input '",
          i, "' must have 'float32' dtype, but has '", get_name(gradients[i].dtype()), "'");
    check_shape(gradients[i].shape() == entry.saved[i].shape(),
                "Error in gradient for op Custom. The gradient of ", "input '", i, "' has shape '",
                gradients[i].shape(), "', which does not match the shape of the input '",
                entry.saved[i].shape(), "'");
  }
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (entry.inputs[i] != 0) add(entry, i, gradients[i]);
  }
  pending_grad_ = {};
  --at_;
  tape_.drop_last();
}

void Backward::add(const Tape::Entry& entry, std::size_t i, const Tensor& gradient) {
  Slot& slot = slots_[static_cast<std::size_t>(tape_.find(entry.inputs[i]))];
  slot.reached = true;
  if (!gradient) return;
  const Tensor fitted = sum_to(gradient, entry.saved[i].shape());
  slot.gradient = slot.gradient ? tenure::add(slot.gradient, fitted) : fitted;
}

Tensor Backward::get_gradient(const Tensor& watched) const {
  const int value = tape_.find(watched.value());
  if (value < 0) return {};
  const Slot& slot = slots_[static_cast<std::size_t>(value)];
  if (!slot.reached || slot.gradient) return slot.gradient;
  return constant_like(watched.spec(), 0);
}

Gradients value_and_gradients(const std::function<Tensor(const Tensors&)>& f, Tensors xs, const Tensor& g) {
  Tape tape;
  for (Tensor& x : xs) tape.watch(x);
  Gradients result;
  {
    const TapeGuard guard(tape);
    result.value = f(xs);
  }
  Backward backward(tape, result.value, g);
  const bool needs_more = backward.advance();
  check(!needs_more, "a gradient is only known outside");
  for (const Tensor& x : xs) {
    const Tensor gradient = backward.get_gradient(x);
    result.gradients.push_back(gradient ? gradient : constant_like(x.spec(), 0));
  }
  return result;
}

}  // namespace tenure
