#include <utility>

#include "core/for_each.h"
#include "core/run/op.h"
#include "ops/infer.h"
#include "ops/math/activation.h"
#include "ops/ops.h"
#include "shape_util/broadcast.h"

namespace tenure {
namespace {

template <DTypeRule kRule>
TensorSpec infer_elementwise(Inputs in, AttrsView) {
  constexpr bool kToBool = kRule == DTypeRule::kTest || kRule == DTypeRule::kCompare;
  const DType dtype = kToBool ? DType::kBool : in[0].dtype();
  if (in.size() == 1) return {in[0].shape(), dtype};
  return {broadcast(in[0].shape(), in[1].shape()), dtype};
}

template <class Attrs, TensorSpec (*kInfer)(Inputs, const Attrs&)>
TensorSpec infer_with(Inputs in, AttrsView attrs) {
  return kInfer(in, attrs.as<Attrs>());
}

template <class Attrs, Tensors (*kHost)(Inputs, const Attrs&)>
Tensors host_with(Inputs in, AttrsView attrs) {
  return kHost(in, attrs.as<Attrs>());
}

Tensors to_tensors(Tensor result) { return {std::move(result)}; }
Tensors to_tensors(Tensors results) { return results; }

const Tensor& input_at(Inputs in, int i) {
  static const Tensor kMissing;
  return i < in.size() ? in[i] : kMissing;
}

#define TAKE_IN(name, types) [[maybe_unused]] const Tensor& name = input_at(in, i++);
#define TAKE_OPT(name, types) TAKE_IN(name, types)
#define TAKE_LIST(name, types) const Inputs name = in;
#define PASS_IN(name, types) name,
#define PASS_OPT(name, types) name,
#define PASS_LIST(name, types) name,
#define COMPOSED(name, js, inputs, A, result)                                        \
  Tensors compose_##name([[maybe_unused]] Inputs in, AttrsView attrs) {              \
    [[maybe_unused]] int i = 0;                                                      \
    FOR_EACH(TAKE_, inputs)                                                          \
    return to_tensors(composed::name(FOR_EACH(PASS_, inputs) attrs.as<A##Attrs>())); \
  }
#define OTHER_ROWS(...)
#include "lists/ops.def"

template <Op kOp, class Attrs>
Tensors decompose(Inputs in, AttrsView view) {
  Attrs attrs = view.as<Attrs>();
  const Activation activation = std::exchange(attrs.activation, Activation::kLinear);
  if (activation == Activation::kLinear) return {};
  return {activated(run(kOp, in, AttrsView(attrs)), activation, attrs.alpha)};
}

template <Op kOp, class Attrs>
constexpr ComposedFn decomposition_for() {
  if constexpr (requires(Attrs attrs) { attrs.activation; }) {
    return decompose<kOp, Attrs>;
  } else {
    return nullptr;
  }
}

constexpr bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

/// True if the text of a gradient contains the identifier `word`, other than as a member.
constexpr bool mentions(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.')) &&
        (end == text.size() || !is_word(text[end])))
      return true;
  }
  return false;
}

constexpr Gradient gradient_kind(std::string_view gradient) {
  return gradient == "NONE" ? Gradient::kNone : gradient == "ZERO" ? Gradient::kZero : Gradient::kRule;
}

constexpr std::uint16_t saved_mask(std::string_view gradient, std::initializer_list<std::string_view> inputs,
                                   std::string_view output) {
  if (gradient_kind(gradient) != Gradient::kRule) return 0;
  std::uint16_t saves = mentions(gradient, output) ? OpDef::kSavesOutput : 0;
  std::uint16_t bit = 1;
  for (const std::string_view input : inputs) {
    if (mentions(gradient, input)) saves |= bit;
    bit <<= 1;
  }
  return saves;
}

constexpr std::uint8_t input_types(DTypeRule rule) {
  return rule == DTypeRule::kLogical ? types::kBool : types::kNumericOrBool;
}
constexpr InputDef required(const char* name, std::uint8_t types) {
  return {name, types, InputDef::kRequired};
}

// Each array ends with an empty input, since an op may have no inputs and an array may not be empty.
#define DEFINE_IN(name, type) {#name, types::type, InputDef::kRequired},
#define DEFINE_OPT(name, type) {#name, types::type, InputDef::kOptional},
#define DEFINE_LIST(name, type) {#name, types::type, InputDef::kList},
#define UNARY(name, js, rule, ...) \
  constexpr InputDef inputs_of_##name[] = {required("x", input_types(DTypeRule::rule)), {}};
#define BINARY(name, js, a, b, rule, ...)   \
  constexpr InputDef inputs_of_##name[] = { \
      required(#a, input_types(DTypeRule::rule)), required(#b, input_types(DTypeRule::rule)), {}};
#define VIEW(name, js, A) constexpr InputDef inputs_of_##name[] = {required("x", types::kAny), {}};
#define STRUCTURAL(name, js, inputs, ...) \
  constexpr InputDef inputs_of_##name[] = {FOR_EACH(DEFINE_, inputs){}};
#define COMPOSED(name, js, inputs, ...) STRUCTURAL(name, js, inputs)
#define HOST(name, js, inputs, ...) STRUCTURAL(name, js, inputs)
#define OTHER_ROWS(...)
#include "lists/ops.def"

struct DTypeOverload {
  std::uint8_t types = 0;
  DTypeOverloadFn run = nullptr;
};

constexpr std::pair<Op, DTypeOverloadFn> kComplexForms[] = {
#define COMPLEX(name, form) {Op::name, complex_form::form},
#define OTHER_ROWS(...)
#include "lists/ops.def"
};

constexpr DTypeOverload get_dtype_overload(Op op, DTypeRule rule) {
  for (const auto& [known, run] : kComplexForms) {
    if (known == op) return {types::kComplex64, run};
  }
  return rule == DTypeRule::kCompare ? DTypeOverload{types::kString, compare_strings} : DTypeOverload{};
}

#define OTHER_FORM(name, rule) \
  get_dtype_overload(Op::name, DTypeRule::rule).types, get_dtype_overload(Op::name, DTypeRule::rule).run
#define INPUTS(name) static_cast<std::uint8_t>(std::size(inputs_of_##name) - 1), inputs_of_##name
#define NAMED_IN(name, types) #name,
#define NAMED_OPT(name, types) #name,
#define NAMED_LIST(name, types) #name,

constexpr OpDef kDefs[] = {
#define UNARY(name, js, rule, A, expression, gradient, ...) \
  {#name,                                                   \
   js,                                                      \
   OpKind::kUnary,                                          \
   DTypeRule::rule,                                         \
   gradient_kind(#gradient),                                \
   INPUTS(name),                                            \
   saved_mask(#gradient, {"x"}, "y"),                       \
   infer_elementwise<DTypeRule::rule>,                      \
   nullptr,                                                 \
   nullptr,                                                 \
   OTHER_FORM(name, rule)},
#define BINARY(name, js, a, b, rule, expression, for_x, for_y, ...)                                       \
  {#name,                                                                                                 \
   js,                                                                                                    \
   OpKind::kBinary,                                                                                       \
   DTypeRule::rule,                                                                                       \
   gradient_kind(#for_x),                                                                                 \
   INPUTS(name),                                                                                          \
   static_cast<std::uint16_t>(saved_mask(#for_x, {"x", "y"}, "z") | saved_mask(#for_y, {"x", "y"}, "z")), \
   infer_elementwise<DTypeRule::rule>,                                                                    \
   nullptr,                                                                                               \
   nullptr,                                                                                               \
   OTHER_FORM(name, rule)},
#define STRUCTURAL(name, js, inputs, A, gradient, ...)       \
  {#name,                                                    \
   js,                                                       \
   OpKind::kStructural,                                      \
   DTypeRule::kAny,                                          \
   gradient_kind(#gradient),                                 \
   INPUTS(name),                                             \
   saved_mask(#gradient, {FOR_EACH(NAMED_, inputs)}, "out"), \
   infer_with<A##Attrs, infer::name>,                        \
   nullptr,                                                  \
   decomposition_for<Op::name, A##Attrs>(),                  \
   OTHER_FORM(name, kAny)},
#define VIEW(name, js, A)             \
  {#name,                             \
   js,                                \
   OpKind::kView,                     \
   DTypeRule::kAny,                   \
   Gradient::kRule,                   \
   INPUTS(name),                      \
   0,                                 \
   infer_with<A##Attrs, infer::name>, \
   nullptr,                           \
   nullptr,                           \
   0,                                 \
   nullptr},
#define OTHER_ROWS(...)
#include "lists/ops.def"
#define COMPOSED(name, js, ...) \
  {#name,                       \
   js,                          \
   OpKind::kComposed,           \
   DTypeRule::kAny,             \
   Gradient::kNone,             \
   INPUTS(name),                \
   0,                           \
   nullptr,                     \
   compose_##name,              \
   nullptr,                     \
   0,                           \
   nullptr},
#define HOST(name, js, inputs, A)   \
  {#name,                           \
   js,                              \
   OpKind::kHost,                   \
   DTypeRule::kAny,                 \
   Gradient::kNone,                 \
   INPUTS(name),                    \
   0,                               \
   nullptr,                         \
   host_with<A##Attrs, host::name>, \
   nullptr,                         \
   0,                               \
   nullptr},
#define OTHER_ROWS(...)
#include "lists/ops.def"
};
static_assert(std::size(kDefs) == static_cast<std::size_t>(kOpCount));

}  // namespace

const OpDef& op_def(Op op) { return kDefs[static_cast<std::size_t>(op)]; }

}  // namespace tenure
