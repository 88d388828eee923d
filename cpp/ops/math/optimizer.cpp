#include "ops/math/optimizer.h"

#include <algorithm>
#include <iterator>

#include "core/run/dispatch.h"
#include "ops/ops.h"

namespace tenure {
namespace {

/// Tensor with the operators that the optimizers' update rules are written with.
struct Value {
  Tensor tensor;
  Value() = default;
  Value(Tensor x) : tensor(std::move(x)) {}
  explicit Value(float x) : tensor(Tensor::scalar(x)) {}
  friend Value operator+(const Value& x, const Value& y) { return add(x.tensor, y.tensor); }
  friend Value operator-(const Value& x, const Value& y) { return sub(x.tensor, y.tensor); }
  friend Value operator*(const Value& x, const Value& y) { return mul(x.tensor, y.tensor); }
  friend Value operator/(const Value& x, const Value& y) { return div(x.tensor, y.tensor); }
  friend Value operator+(const Value& x, float y) { return x + Value(y); }
  friend Value operator*(const Value& x, float y) { return x * Value(y); }
  friend Value operator/(const Value& x, float y) { return x / Value(y); }
  friend Value sqrt(const Value& x) { return tenure::sqrt(x.tensor); }
  friend Value abs(const Value& x) { return tenure::abs(x.tensor); }
  friend Value max(const Value& x, const Value& y) { return maximum(x.tensor, y.tensor); }
};

#define OPTIMIZER(Name, slots, ...)                                                                     \
  template <class V>                                                                                    \
  void step##Name(const UpdateAttrs& p, const V& g, V& w, [[maybe_unused]] V& a, [[maybe_unused]] V& b, \
                  [[maybe_unused]] V& c) {                                                              \
    __VA_ARGS__;                                                                                        \
  }
#include "lists/optimizers.def"

void step(const UpdateAttrs& p, const Value& g, Value& w, Value& a, Value& b, Value& c) {
  switch (p.optimizer) {
#define OPTIMIZER(Name, ...) \
  case Optimizer::k##Name: return step##Name(p, g, w, a, b, c);
#include "lists/optimizers.def"
  }
}

void update_by_ops(const UpdateAttrs& attrs, const Tensor& gradient, std::span<Tensor> state) {
  Value values[4];
  std::copy(state.begin(), state.end(), values);
  step(attrs, gradient, values[0], values[1], values[2], values[3]);
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = std::move(values[i].tensor);
}

bool is_on_cpu(const Tensor& tensor) { return !tensor.storage()->only_on_device(); }

}  // namespace

std::size_t slot_count(Optimizer optimizer) {
  constexpr std::size_t kSlots[] = {
#define OPTIMIZER(Name, slots, ...) slots,
#include "lists/optimizers.def"
  };
  const auto number = static_cast<std::size_t>(optimizer);
  check(number < std::size(kSlots), "no optimizer has the number ", number);
  return kSlots[number];
}

void update(const UpdateAttrs& attrs, const Tensor& gradient, std::span<Tensor> state,
            std::uint32_t unshared) {
  const std::size_t slots = slot_count(attrs.optimizer);
  check(state.size() == slots + 1, "expected ", slots, " slots, got ", state.size() - 1);
  bool on_cpu = is_on_cpu(gradient);
  for (const Tensor& tensor : state) {
    check_shape(tensor.spec() == gradient.spec() && gradient.dtype() == DType::kFloat32,
                "a float32 variable of shape ", state[0].shape(), " cannot be moved by a gradient of shape ",
                gradient.shape(), " and type ", get_name(gradient.dtype()), " with slots of shape ",
                tensor.shape());
    on_cpu = on_cpu && is_on_cpu(tensor);
  }
  if (!on_cpu) return update_by_ops(attrs, gradient, state);
  Tensors next(state.begin(), state.end());
  for (Tensor& tensor : next) {
    if (tensor.storage()->references() > unshared + 1) tensor = Tensor(gradient.spec());
  }
  cpu_backend().update(attrs, gradient, state, next);
  std::move(next.begin(), next.end(), state.begin());
}

}  // namespace tenure
