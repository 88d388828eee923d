#include "core/op.h"
#include "ops/infer.h"

namespace tenure {
namespace {

template <Rule kRule>
TensorSpec infer_elementwise(Inputs in, AttrsView) {
  TensorSpec spec{in[0].shape(), in[0].dtype()};
  if (in.size() == 2) spec.shape = broadcast(in[0].shape(), in[1].shape());
  if constexpr (kRule == Rule::kTest || kRule == Rule::kCompare) spec.dtype = DType::kBool;
  check(in[0].dtype() != DType::kString && in[0].dtype() != DType::kComplex64, "has no kernel for ",
        name_of(in[0].dtype()));
  return spec;
}

template <class Attrs, TensorSpec (*kInfer)(Inputs, const Attrs&)>
TensorSpec infer_with(Inputs in, AttrsView attrs) {
  return kInfer(in, attrs.as<Attrs>());
}

template <class Attrs, Tensors (*kComposed)(Inputs, const Attrs&)>
Tensors compose_with(Inputs in, AttrsView attrs) {
  return kComposed(in, attrs.as<Attrs>());
}

constexpr OpDef kDefs[] = {
#define UNARY(name, js, rule, A, expression) \
  {#name, js, OpKind::kUnary, Rule::rule, 1, 1, infer_elementwise<Rule::rule>, nullptr},
#define BINARY(name, js, rule, expression) \
  {#name, js, OpKind::kBinary, Rule::rule, 2, 2, infer_elementwise<Rule::rule>, nullptr},
#define STRUCTURAL(name, js, least, most, A) \
  {#name, js, OpKind::kStructural, Rule::kAny, least, most, infer_with<A##Attrs, infer::name>, nullptr},
#define VIEW(name, js, A) \
  {#name, js, OpKind::kView, Rule::kAny, 1, 1, infer_with<A##Attrs, infer::name>, nullptr},
#include "ops/ops.def"
#define COMPOSED(name, js, least, most, A) \
  {#name, js, OpKind::kComposed, Rule::kAny, least, most, nullptr, compose_with<A##Attrs, composed::name>},
#include "ops/ops.def"
};
static_assert(std::size(kDefs) == static_cast<std::size_t>(kOpCount));

}  // namespace

const OpDef& op_def(Op op) { return kDefs[static_cast<std::size_t>(op)]; }

}  // namespace tenure
