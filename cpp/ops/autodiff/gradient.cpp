#include "ops/autodiff/gradient.h"

#include "core/error.h"
#include "ops/autodiff/formula.h"
#include "ops/ops.h"

namespace tenure {
namespace formulas {
namespace {

// `p` in a gradient formula. Only floats are numbered, so ops with a formula have attributes that are all
// floats.
#define ENUMERATION(...)
#define INT(...)
#define FLOAT(name, value) Formula name = Formula::attribute(next++);
#define FLAG(...)
#define DIMS(...)
#define INT_LIST(...)
#define TEXT(...)
#define ENUM(...)
#define ATTRS(Name, FIELDS) \
  struct Name##Names {      \
    int next = 0;           \
    FIELDS                  \
  };
#include "lists/attrs.def"

#define ZERO Formula()
#define NONE Formula()

/// Gradient formulas for the one or two inputs of an elementwise op.
struct Pair {
  Formula first;
  Formula second;
};

constexpr Pair kFormulas[] = {
#define UNARY(name, js, rule, A, expression, gradient, ...)     \
  [] {                                                          \
    [[maybe_unused]] constexpr Formula x = Formula::operand(0); \
    [[maybe_unused]] constexpr Formula y = Formula::operand(2); \
    [[maybe_unused]] constexpr Formula g = Formula::operand(3); \
    [[maybe_unused]] constexpr A##Names p;                      \
    return Pair{gradient, {}};                                  \
  }(),
#define BINARY(name, js, a, b, rule, expression, for_x, for_y, ...) \
  [] {                                                              \
    [[maybe_unused]] constexpr Formula x = Formula::operand(0);     \
    [[maybe_unused]] constexpr Formula y = Formula::operand(1);     \
    [[maybe_unused]] constexpr Formula z = Formula::operand(2);     \
    [[maybe_unused]] constexpr Formula g = Formula::operand(3);     \
    return Pair{for_x, for_y};                                      \
  }(),
#define OTHER_ROWS(...)
#include "lists/ops.def"
};

}  // namespace
}  // namespace formulas

namespace {

constexpr int kElementwise = 0
#define UNARY(...) +1
#define BINARY(...) +1
#define OTHER_ROWS(...)
#include "lists/ops.def"
    ;
#define IS_FIRST(name) \
  static_assert(static_cast<int>(Op::name) < kElementwise, #name " must stand above other ops");
#define UNARY(name, ...) IS_FIRST(name)
#define BINARY(name, ...) IS_FIRST(name)
#define OTHER_ROWS(...)
#include "lists/ops.def"

template <class Attrs, Tensors (*kGradient)(const GradientArgs&, const Attrs&)>
Tensors gradient_with(const GradientArgs& args) {
  return kGradient(args, args.attrs.as<Attrs>());
}

Tensors gradient_of_view(const GradientArgs& args) { return {reshape(args.g, {args.in[0].shape()})}; }

#define RULE_SAVES(...) GRADIENT
#define RULE_ZERO NO_GRADIENT
#define RULE_NONE NO_GRADIENT
#define GRADIENT(name, A) gradient_with<A##Attrs, grad::name>,
#define NO_GRADIENT(name, A) nullptr,
constexpr GradientFn kRules[] = {
#define STRUCTURAL(name, js, inputs, A, gradient, ...) RULE_##gradient(name, A)
#define VIEW(name, js, A) gradient_of_view,
#define OTHER_ROWS(...)
#include "lists/ops.def"
};

Tensors gradients_of_elementwise(Op op, const GradientArgs& args) {
  const formulas::Pair& formulas = formulas::kFormulas[static_cast<std::size_t>(op)];
  const Tensor& second = args.in.size() > 1 ? args.in[1] : args.in[0];
  const auto gradient = [&](const Formula& formula, int i) {
    return args.needs_grad(i) ? formula.evaluate({&args.in[0], &second, &args.out, &args.g}, args.attrs)
                              : Tensor();
  };
  Tensors result = {gradient(formulas.first, 0)};
  if (args.in.size() > 1) result.push_back(gradient(formulas.second, 1));
  return result;
}

}  // namespace

Tensors compute_gradients(Op op, const GradientArgs& args) {
  const OpDef& def = op_def(op);
  if (is_elementwise(def.kind)) return gradients_of_elementwise(op, args);
  return kRules[static_cast<int>(op) - kElementwise](args);
}

Tensor sum_to(const Tensor& gradient, const Shape& shape) {
  if (gradient.shape() == shape) return gradient;
  ReduceAttrs over;
  const int more = gradient.rank() - shape.rank;
  for (int i = 0; i < gradient.rank(); ++i) {
    if (i < more || (shape[i - more] == 1 && gradient.dim(i) != 1)) over.axes.push_back(i);
  }
  return reshape(over.axes.empty() ? gradient : sum(gradient, over), {shape});
}

}  // namespace tenure
