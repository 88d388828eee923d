#include "cpu/gemm/prepacked.h"

#include "core/memory/memory_user.h"
#include "cpu/elementwise/chain.h"
#include "cpu/gemm/gemm.h"

namespace tenure::cpu {
namespace {

using Kernel = void (*)(const KernelArgs&, const PreparedWeight&, const Follower*);

/// Prepared kernel of a product whose right-hand matrix is packed.
class Packed final : public PreparedKernel {
 public:
  Packed(Kernel kernel, PreparedWeight weights) : kernel_(kernel), weights_(std::move(weights)) {}
  void run(const KernelArgs& args) const override { kernel_(args, weights_, nullptr); }
  void run_then(const KernelArgs& args, const Follower& then) const override {
    kernel_(args, weights_, &then);
  }
  std::size_t bytes() const override { return weights_.scale ? weights_.scale.storage()->bytes_on_cpu() : 0; }
  void add_to(Account& account) const override {
    if (weights_.scale) account.add(MemoryPart::kWeights, weights_.scale.storage().get());
  }
  const Storage* storage() const override { return weights_.panels.storage().get(); }
  bool reads(std::size_t input) const override { return input != 1; }
  bool may_overwrite_residual() const override { return weights_.stores_once; }

 private:
  Kernel kernel_;
  PreparedWeight weights_;
};

// Smaller matrices stay in the first-level cache in any layout. Only many rows profit from packing those,
// because panels need fewer addresses.
constexpr std::size_t kLeastElements = 1024;
constexpr std::size_t kManyRows = 64;

bool is_worthwhile(const Tensor& x, const Tensor& weights) {
  return weights && weights.has_data() && x.dtype() == DType::kFloat32 &&
         weights.dtype() == DType::kFloat32 && weights.shape().back() >= gemm::kPanel &&
         (weights.elements() >= kLeastElements ||
          x.elements() >= kManyRows * static_cast<std::size_t>(x.shape().back()));
}

}  // namespace

std::unique_ptr<PreparedKernel> prepare(Op op, Inputs in, AttrsView attrs) {
  if (op == Op::mat_mul && is_worthwhile(in[0], in[1]) && in[1].rank() == 2) {
    const auto options = attrs.as<MatMulAttrs>();
    if (options.transpose_a) return nullptr;
    const auto multiply = [](const KernelArgs& args, const PreparedWeight& b, const Follower* then) {
      mat_mul_prepacked(args, b);
      if (then) follow_all(*then, args.out.elements());
    };
    return std::make_unique<Packed>(multiply, pack_mat_mul(in[1], options.transpose_b));
  }
  const bool has_groups = op == Op::conv2d && in[0].dim(3) != in[1].dim(2);
  if (op == Op::conv2d && !has_groups && is_worthwhile(in[0], in[1])) {
    return std::make_unique<Packed>(conv2d_prepacked, pack_conv2d(in[0], in[1], attrs.as<ConvAttrs>()));
  }
  return nullptr;
}

}  // namespace tenure::cpu
