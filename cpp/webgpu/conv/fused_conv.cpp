#include "webgpu/conv/fused_conv.h"

#include <vector>

#include "core/activation.h"
#include "webgpu/elementwise/chain.h"
#include "webgpu/matmul/matmul_conv.h"

namespace tenure::webgpu {
namespace {

/// Inputs of a convolution: two tensors and a bias.
constexpr int kConvInputs = 3;
/// Attributes of a chain for which a dispatch has room beside a convolution's own parameters.
constexpr std::size_t kMaxAttributes = 5;

class FusedConvKernel final : public PreparedKernel {
 public:
  FusedConvKernel(const Producer& head, Chain chain)
      : inputs_(head.inputs),
        attrs_(head.attrs.words().begin(), head.attrs.words().end()),
        chain_(std::move(chain)) {}
  std::size_t bytes() const override { return 0; }

  void run(const KernelArgs& args) const override {
    std::vector<const Tensor*> inputs;
    inputs.reserve(inputs_);
    for (std::size_t i = 0; i < inputs_; ++i) inputs.push_back(&args.in[static_cast<int>(i)]);
    const Epilogue epilogue = {chain_, args.in};
    conv2d({Inputs(std::span<const Tensor* const>(inputs)), AttrsView(std::span<const std::int32_t>(attrs_)),
            args.out},
           &epilogue);
  }

 private:
  std::size_t inputs_;
  std::vector<std::int32_t> attrs_;
  Chain chain_;
};

/// True if the activation is a parameter, whose name a chain's would repeat.
bool has_alpha(AttrsView attrs) {
  const Activation activation = attrs.as<ConvAttrs>().activation;
  return activation != Activation::kLinear && activation_def(activation).has_alpha;
}

}  // namespace

std::unique_ptr<PreparedKernel> fuse_into_producer(const Producer& head, std::span<const ChainOp> chain) {
  if (head.op != Op::conv2d || head.x[3] != head.filter[2] || head.filter[3] % 4 != 0 ||
      has_alpha(head.attrs))
    return nullptr;
  Chain fused(chain);
  if (!fused.fits(kConvInputs) || fused.attribute_count() > kMaxAttributes) return nullptr;
  return std::make_unique<FusedConvKernel>(head, std::move(fused));
}

}  // namespace tenure::webgpu
