#include "gl/kernels/chain.h"

#include <algorithm>

#include "core/text.h"
#include "gl/kernels/elementwise.h"
#include "gl/matmul/matmul_conv.h"
#include "gl/shader/operand.h"

namespace tenure::gl {
namespace {

constexpr std::array<const char*, kMaxChainAttrs> kAttrNames = {"q0", "q1", "q2", "q3",
                                                                "q4", "q5", "q6", "q7"};
// Inputs of a matmul or convolution: two tensors and a bias.
constexpr int kProductInputs = 3;

class ChainKernel final : public PreparedKernel {
 public:
  explicit ChainKernel(Chain chain) : name_("chain" + chain.name()), chain_(std::move(chain)) {}
  std::size_t bytes() const override { return 0; }

  void run(const KernelArgs& args) const override {
    Pass pass(name_);
    chain_.add_to(pass, args.in, args.out);
    pass.texels(args.out, {chain_.source(), "T4 texel(int i) { return chain(i, vec4(0)); }\n"_glsl});
  }

 private:
  std::string name_;
  Chain chain_;
};

class FusedConvKernel final : public PreparedKernel {
 public:
  FusedConvKernel(const Producer& head, Chain chain)
      : inputs_(head.inputs),
        has_constant_filter_(head.prepared != nullptr),
        attrs_(head.attrs.words().begin(), head.attrs.words().end()),
        chain_(std::move(chain)) {}
  /// Counts CPU memory only; the texture counts as the context's.
  std::size_t bytes() const override { return 0; }

  void run(const KernelArgs& args) const override {
    std::vector<const Tensor*> inputs;
    inputs.reserve(inputs_);
    for (std::size_t i = 0; i < inputs_; ++i) inputs.push_back(&args.in[static_cast<int>(i)]);
    const AttrsView attrs{std::span<const std::int32_t>(attrs_)};
    const Epilogue epilogue = {chain_, args.in};
    conv2d({Inputs(std::span<const Tensor* const>(inputs)), attrs, args.out},
           has_constant_filter_ ? &packed_ : nullptr, &epilogue);
  }

 private:
  std::size_t inputs_;
  bool has_constant_filter_;
  std::vector<std::int32_t> attrs_;
  Chain chain_;
  mutable Tensor packed_;
};

}  // namespace

Chain::Chain(std::span<const ChainOp> ops) {
  std::string body;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const bool is_binary = op_def(ops[i].op).kind == OpKind::kBinary;
    add_function(ops[i], i);
    const std::string first = operand(ops[i].operands[0], i);
    const std::string second = is_binary ? "," + operand(ops[i].operands[1], i) : "";
    body += text("vec4 t", i, "=f", i, "(", first, second, ");");
    name_ += text(":", op_def(ops[i].op).name, ",", first, second);
  }
  std::string operands;
  const std::size_t most = std::min(inputs_.size(), static_cast<std::size_t>(kMaxOperands));
  for (std::size_t k = 0; k < most; ++k) operands += operand_source(static_cast<int>(k));
  source_ = text(operands, source_, "vec4 chain(int i,vec4 head){", body, "return t", ops.size() - 1, ";}\n");
}

std::string Chain::operand(int number, std::size_t at) {
  if (number < 0) {
    const int maker = static_cast<int>(at) + number;
    return maker < 0 ? "head" : text("t", maker);
  }
  const auto known = std::find(inputs_.begin(), inputs_.end(), number);
  const std::ptrdiff_t index = known - inputs_.begin();
  if (known == inputs_.end()) inputs_.push_back(number);
  return text("in", index, "(i)");
}

/// Appends the function of op `at`, such as vec4 f0(vec4 x,vec4 y), after the declarations of its attributes.
void Chain::add_function(const ChainOp& link, std::size_t at) {
  const Expression& expression = get_expression(link.op);
  const AttributeSource attrs(expression, attrs_.size());
  if (expression.field_count > 0) attrs_.push_back(attribute_values(link.attrs));
  const bool is_binary = op_def(link.op).kind == OpKind::kBinary;
  source_ += text(attrs.declarations, "vec4 f", at, is_binary ? "(vec4 x,vec4 y){" : "(vec4 x){",
                  attrs.statement, "return ", expression.text, ";}\n");
}

bool Chain::fits(int other_inputs) const {
  const auto count = static_cast<int>(inputs_.size());
  return count <= kMaxOperands && count + other_inputs <= Pass::kMaxInputs && attrs_.size() <= kMaxChainAttrs;
}

void Chain::add_to(Pass& pass, const Inputs& in, const Tensor& out) const {
  pass.variant("V", "vec4").variant("E", "float");
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const Tensor& x = in[inputs_[k]];
    add_operand(pass, static_cast<int>(k), x, *get_read(x, out));
  }
  for (std::size_t i = 0; i < attrs_.size(); ++i) pass.set(kAttrNames[i], attrs_[i]);
}

std::unique_ptr<PreparedKernel> fuse(std::span<const ChainOp> chain) {
  Chain fused(chain);
  return fused.fits(0) ? std::make_unique<ChainKernel>(std::move(fused)) : nullptr;
}

std::unique_ptr<PreparedKernel> fuse_into_producer(const Producer& head, std::span<const ChainOp> chain) {
  const bool in_texels = head.op == Op::conv2d && head.x[3] == head.filter[2] && head.filter[3] % 4 == 0;
  if (!in_texels) return nullptr;
  Chain fused(chain);
  return fused.fits(kProductInputs) ? std::make_unique<FusedConvKernel>(head, std::move(fused)) : nullptr;
}

}  // namespace tenure::gl
