#include "gl/matmul/prepare.h"

#include "gl/matmul/matmul_conv.h"

namespace tenure::gl {
namespace {

using Kernel = void (*)(const KernelArgs&, Tensor* packed);

Kernel get_kernel(Op op) {
  switch (op) {
    case Op::mat_mul: return mat_mul;
    case Op::conv2d: return [](const KernelArgs& args, Tensor* packed) { conv2d(args, packed, nullptr); };
    case Op::conv2d_transpose: return conv2d_transpose;
    default: return nullptr;
  }
}

/// A prepared matmul or convolution that keeps its packed filter.
class CachedFilterKernel final : public PreparedKernel {
 public:
  explicit CachedFilterKernel(Kernel kernel) : kernel_(kernel) {}
  void run(const KernelArgs& args) const override { kernel_(args, &packed_); }
  /// Counts CPU memory only; the texture counts as the context's.
  std::size_t bytes() const override { return 0; }

 private:
  Kernel kernel_;
  mutable Tensor packed_;
};

bool is_constant_filter(Inputs in) {
  return in[1] && in[1].has_data() && in[0].dtype() == DType::kFloat32 && in[1].dtype() == DType::kFloat32;
}

}  // namespace

std::unique_ptr<PreparedKernel> prepare(Op op, Inputs in, AttrsView /*attrs*/) {
  const Kernel kernel = get_kernel(op);
  if (!kernel || !is_constant_filter(in)) return nullptr;
  return std::make_unique<CachedFilterKernel>(kernel);
}

}  // namespace tenure::gl
