#include "cpu/prepacked.h"

namespace tenure::cpu {
namespace {

using Kernel = void (*)(const KernelArgs&, const gemm::PackedB&);

/// A product whose right-hand matrix lies in panels.
class Packed final : public PreparedKernel {
 public:
  Packed(Kernel kernel, gemm::PackedB weights) : kernel_(kernel), weights_(std::move(weights)) {}
  void run(const KernelArgs& args) const override { kernel_(args, weights_); }
  std::size_t bytes() const override { return weights_.bytes(); }

 private:
  Kernel kernel_;
  gemm::PackedB weights_;
};

// Smaller matrices stay in the first-level cache however they lie.
constexpr std::size_t kLeastElements = 1024;

bool is_worthwhile(const Tensor& x, const Tensor& weights) {
  return weights && weights.has_data() && x.dtype() == DType::kFloat32 &&
         weights.dtype() == DType::kFloat32 && weights.shape().back() >= gemm::kPanel &&
         weights.elements() >= kLeastElements;
}

}  // namespace

std::unique_ptr<PreparedKernel> prepare(Op op, Inputs in, AttrsView attrs) {
  if (op == Op::mat_mul && is_worthwhile(in[0], in[1]) && in[1].rank() == 2) {
    const auto options = attrs.as<MatMulAttrs>();
    if (options.transpose_a) return nullptr;
    return std::make_unique<Packed>(mat_mul_prepacked, pack_mat_mul(in[1], options.transpose_b));
  }
  const bool has_groups = op == Op::conv2d && in[0].dim(3) != in[1].dim(2);
  if (op == Op::conv2d && !has_groups && is_worthwhile(in[0], in[1])) {
    return std::make_unique<Packed>(conv2d_prepacked, pack_conv2d(in[0], in[1], attrs.as<ConvAttrs>()));
  }
  return nullptr;
}

}  // namespace tenure::cpu
