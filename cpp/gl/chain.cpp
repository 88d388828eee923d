#include "gl/chain.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/text.h"
#include "gl/elementwise.h"
#include "gl/operand.h"

namespace tenure::gl {
namespace {

constexpr std::array<const char*, 8> kAttrNames = {"q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7"};

class ChainKernel final : public PreparedKernel {
 public:
  explicit ChainKernel(std::span<const ChainOp> chain) {
    for (const ChainOp& link : chain) {
      name_ += text(":", op_def(link.op).name, ",", link.operands[0], ",", link.operands[1]);
      input_count_ = std::max({input_count_, link.operands[0] + 1, link.operands[1] + 1});
    }
    if (input_count_ > kMostOperands) return;
    for (int k = 0; k < input_count_; ++k) source_ += operand_source(k);
    std::string body;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      add_function(chain[i], i);
      body += text("vec4 t", i, "=f", i, "(", operand(chain[i].operands[0], i));
      if (op_def(chain[i].op).kind == OpKind::kBinary) body += text(",", operand(chain[i].operands[1], i));
      body += ");";
    }
    source_ += text("T4 texel(int i){", body, "return t", chain.size() - 1, ";}\n");
  }

  bool fits() const { return input_count_ <= kMostOperands && attrs_.size() <= kAttrNames.size(); }
  std::size_t bytes() const override { return 0; }

  void run(const KernelArgs& args) const override {
    Pass pass(name_);
    pass.variant("V", "vec4").variant("E", "float");
    for (int k = 0; k < input_count_; ++k) add_operand(pass, k, args.in[k], *read_of(args.in[k], args.out));
    for (std::size_t i = 0; i < attrs_.size(); ++i) pass.set(kAttrNames[i], attrs_[i]);
    pass.texels(args.out, source_);
  }

 private:
  static std::string operand(int number, std::size_t at) {
    if (number >= 0) return text("in", number, "(i)");
    return text("t", static_cast<int>(at) + number);
  }

  /// vec4 f0(vec4 x,vec4 y), for the first op, behind the declaration of its attributes.
  void add_function(const ChainOp& link, std::size_t at) {
    const Expression& expression = expression_of(link.op);
    const AttributeSource attrs(expression, attrs_.size());
    if (expression.field_count > 0) attrs_.push_back(attribute_values(link.attrs));
    const bool is_binary = op_def(link.op).kind == OpKind::kBinary;
    source_ += text(attrs.declarations, "vec4 f", at, is_binary ? "(vec4 x,vec4 y){" : "(vec4 x){",
                    attrs.statement, "return ", expression.text, ";}\n");
  }

  std::string name_ = "chain";
  std::string source_;
  std::vector<std::array<float, 4>> attrs_;
  int input_count_ = 0;
};

}  // namespace

std::unique_ptr<PreparedKernel> fuse(std::span<const ChainOp> chain) {
  auto kernel = std::make_unique<ChainKernel>(chain);
  if (!kernel->fits()) return nullptr;
  return kernel;
}

}  // namespace tenure::gl
