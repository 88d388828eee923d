#include "cpu/threads/warm_up.h"

#include <algorithm>
#include <utility>

#include "cpu/conv/depthwise_tiles.h"
#include "cpu/gemm/gemm.h"
#include "cpu/gemm/packed_kernels.h"
#include "cpu/kernels.h"
#include "shape_util/conv.h"

namespace tenure::cpu {
namespace {

Tensor zeros(const Shape& shape) {
  Tensor tensor({.shape = shape});
  std::fill_n(tensor.mutable_data<float>(), tensor.elements(), 0.0F);
  return tensor;
}

void call_conv2d(const Shape& x, const Shape& filter, const Shape& out) {
  const Tensor input = zeros(x);
  const Tensor weights = zeros(filter);
  Tensor output = zeros(out);
  const ConvAttrs attrs;
  conv2d_packed({{&input, &weights}, AttrsView(attrs), output}, pack_conv2d(input, weights, attrs), nullptr);
}

void call_mat_mul() {
  const Tensor a = zeros({1, 2});
  const Tensor b = zeros({2, 36});
  Tensor output = zeros({1, 36});
  const MatMulAttrs attrs;
  mat_mul_packed({{&a, &b}, AttrsView(attrs), output}, pack_mat_mul(b, false));
}

template <class Attrs>
void call(KernelFn kernel, Inputs in, const Attrs& attrs, const Shape& out) {
  Tensor output = zeros(out);
  kernel({in, AttrsView(attrs), output});
}

// Calls a kernel that most image networks use, with the smallest shapes that take the code paths of large
// ones.
void call_kernel(Op op) {
  const Tensor image = zeros({1, 8, 8, 4});
  switch (op) {
    case Op::conv2d:
      call_conv2d({1, 4, 4, 3}, {3, 3, 3, 8}, {1, 2, 2, 8});
      return call_conv2d({1, 4, 4, 4}, {1, 1, 4, 8}, {1, 4, 4, 8});
    case Op::depthwise_conv2d: {
      const Tensor filter = zeros({3, 3, 4, 1});
      return call(cpu_backend().kernel(op), {&image, &filter}, ConvAttrs(), {1, 6, 6, 4});
    }
    case Op::mat_mul: return call_mat_mul();
    case Op::mean: return call(cpu_backend().kernel(op), {&image}, ReduceAttrs{.axes = {1, 2}}, {1, 4});
    case Op::softmax: return call(cpu_backend().kernel(op), {&image}, NoneAttrs(), image.shape());
    default: return;
  }
}

}  // namespace

void warm_up(Op op, const Shape& x, const Shape& weights, AttrsView attrs) {
  if (op == Op::conv2d) {
    const ConvGeometry g = conv2d_geometry(x, weights, attrs.as<ConvAttrs>());
    gemm::tier_up_microkernels(g.batch * g.h.out * g.w.out);
  } else if (op == Op::depthwise_conv2d) {
    depthwise::tier_up_microkernels(depthwise_conv2d_geometry(x, weights, attrs.as<ConvAttrs>()));
  } else if (op == Op::mat_mul) {
    gemm::tier_up_microkernels(x[attrs.as<MatMulAttrs>().transpose_a ? x.rank - 1 : x.rank - 2]);
  }
  static bool is_called[kPrimitiveCount];
  if (!std::exchange(is_called[static_cast<std::size_t>(op)], true)) call_kernel(op);
}

}  // namespace tenure::cpu
