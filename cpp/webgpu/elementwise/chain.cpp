#include "webgpu/elementwise/chain.h"

#include <algorithm>

#include "core/text.h"
#include "webgpu/elementwise/elementwise.h"
#include "webgpu/shader/function_table.h"
#include "webgpu/shader/operand.h"

namespace tenure::webgpu {
namespace {

constexpr std::array<const char*, kMaxChainAttrs> kAttrNames = {"q0", "q1", "q2", "q3",
                                                                "q4", "q5", "q6", "q7"};

class ChainKernel final : public PreparedKernel {
 public:
  explicit ChainKernel(Chain chain) : name_(text("chain", chain.name())), chain_(std::move(chain)) {}
  std::size_t bytes() const override { return 0; }

  void run(const KernelArgs& args) const override {
    Dispatch dispatch(name_);
    dispatch.declare(kFloatAliases);
    chain_.add_to(dispatch, args.in, args.out);
    dispatch.output4().elements(args.out, {chain_.source(), "fn run(i:i32){out[i]=chain(i,V(0));}"});
  }

 private:
  std::string name_;
  Chain chain_;
};

}  // namespace

Chain::Chain(std::span<const ChainOp> ops) {
  std::string body;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const bool is_binary = op_def(ops[i].op).kind == OpKind::kBinary;
    add_function(ops[i], i);
    const std::string first = operand(ops[i].operands[0], i);
    const std::string second = is_binary ? text(",", operand(ops[i].operands[1], i)) : std::string();
    body += text("let t", i, "=f", i, "(", first, second, ");");
    name_ += text(":", op_def(ops[i].op).name, ",", first, second);
  }
  source_ += "fn chain(i:i32,head:V)->V{";
  for (std::size_t k = 0; k < inputs_.size(); ++k) source_ += text("let v", k, "=in", k, "(i);");
  source_ += text(body, "return t", ops.size() - 1, ";}");
}

std::string Chain::operand(int number, std::size_t at) {
  if (number < 0) {
    const int maker = static_cast<int>(at) + number;
    return maker < 0 ? "head" : text("t", maker);
  }
  const auto known = std::find(inputs_.begin(), inputs_.end(), number);
  const std::ptrdiff_t index = known - inputs_.begin();
  if (known == inputs_.end()) inputs_.push_back(number);
  return text("v", index);
}

/// Appends the function of op `at`, such as fn f0(x: V, y: V) -> V, after the struct of its attributes.
void Chain::add_function(const ChainOp& link, std::size_t at) {
  const Expression& expression = get_expression(link.op);
  const AttributeSource attrs(expression, attrs_.size());
  if (expression.field_count > 0) attrs_.push_back(attribute_values(link.attrs));
  const bool is_binary = op_def(link.op).kind == OpKind::kBinary;
  source_ += text(attrs.declaration, "fn f", at, is_binary ? "(x:V,y:V)->V{" : "(x:V)->V{", attrs.statement,
                  "return V(", to_wgsl(expression), ");}");
}

bool Chain::fits(int other_inputs) const {
  const auto count = static_cast<int>(inputs_.size());
  return count <= kMaxOperands && count + other_inputs <= Dispatch::kMaxInputs &&
         attrs_.size() <= kMaxChainAttrs;
}

void Chain::add_to(Dispatch& dispatch, const Inputs& in, const Tensor& out) const {
  for (std::size_t i = 0; i < attrs_.size(); ++i) dispatch.set(kAttrNames[i], attrs_[i]);
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const Tensor& x = in[inputs_[k]];
    add_operand(dispatch, static_cast<int>(k), x, *get_read(x, out));
  }
}

std::unique_ptr<PreparedKernel> fuse(std::span<const ChainOp> chain) {
  Chain fused(chain);
  return fused.fits(0) ? std::make_unique<ChainKernel>(std::move(fused)) : nullptr;
}

}  // namespace tenure::webgpu
