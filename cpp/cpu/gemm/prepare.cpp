#include "cpu/gemm/packed_kernels.h"

#include "core/memory/half_floats.h"
#include "core/memory/memory_tracked.h"
#include "core/memory/sparse_weight.h"
#include "cpu/conv/sparse_conv.h"
#include "cpu/elementwise/chain.h"
#include "cpu/gemm/gemm.h"
#include "cpu/quant/byte_dot.h"
#include "cpu/quant/prepare.h"

namespace tenure::cpu {
namespace {

using Kernel = void (*)(const KernelArgs&, const PackedWeight&, const PostOp*);

/// Prepared kernel of a product whose right-hand matrix is packed.
class PackedWeightKernel final : public PreparedKernel {
 public:
  PackedWeightKernel(Kernel kernel, PackedWeight weights) : kernel_(kernel), weights_(std::move(weights)) {}
  void run(const KernelArgs& args) const override { kernel_(args, weights_, nullptr); }
  void run_with_post_op(const KernelArgs& args, const PostOp& post_op) const override {
    kernel_(args, weights_, &post_op);
  }
  std::size_t bytes() const override { return weights_.scale ? weights_.scale.storage()->bytes_on_cpu() : 0; }
  void add_to(MemoryReport& report) const override {
    if (weights_.scale) report.add(MemoryPart::kWeights, weights_.scale.storage().get());
  }
  const Storage* storage() const override { return weights_.panels.storage().get(); }
  bool reads(std::size_t input) const override { return input != 1; }
  bool can_donate_residual() const override { return weights_.writes_output_once; }

 private:
  Kernel kernel_;
  PackedWeight weights_;
};

// Smaller matrices stay in the first-level cache in any layout. Only many rows profit from packing those,
// because panels need fewer addresses.
constexpr std::size_t kMinElements = 1024;
constexpr std::size_t kMinRows = 64;

bool is_profitable(const Tensor& x, const Tensor& weights) {
  return weights && weights.has_data() && x.dtype() == DType::kFloat32 &&
         weights.dtype() == DType::kFloat32 && weights.shape().back() >= gemm::kNR &&
         (weights.elements() >= kMinElements ||
          x.elements() >= kMinRows * static_cast<std::size_t>(x.shape().back()));
}

}  // namespace

std::unique_ptr<PreparedKernel> prepare(Op op, Inputs in, AttrsView attrs) {
  if (op == Op::mat_mul_integer || op == Op::dynamic_quantize_mat_mul || op == Op::conv2d_integer)
    return prepare_integer_kernel(op, in, attrs, find_byte_kernels());
  if (op == Op::mat_mul && is_profitable(in[0], in[1]) && in[1].rank() == 2 && !HalfFloats::of(in[1])) {
    const auto options = attrs.as<MatMulAttrs>();
    if (options.transpose_a) return nullptr;
    const auto multiply = [](const KernelArgs& args, const PackedWeight& b, const PostOp* post_op) {
      mat_mul_packed(args, b);
      if (post_op) run_post_op(*post_op, args.out.elements());
    };
    return std::make_unique<PackedWeightKernel>(multiply, pack_mat_mul(in[1], options.transpose_b));
  }
  if (op == Op::conv2d && SparseWeight::of(in[1])) {
    if (auto sparse = prepare_sparse_conv2d(in, attrs.as<ConvAttrs>())) return sparse;
  }
  const bool has_groups = op == Op::conv2d && in[0].dim(3) != in[1].dim(2);
  if (op == Op::conv2d && !has_groups && is_profitable(in[0], in[1])) {
    return std::make_unique<PackedWeightKernel>(conv2d_packed,
                                                pack_conv2d(in[0], in[1], attrs.as<ConvAttrs>()));
  }
  return nullptr;
}

}  // namespace tenure::cpu
