#pragma once

#include "core/run/backend.h"
#include "cpu/gemm/packed_weight.h"

/// Kernels whose constant second input is packed once and used by many runs. `args` are those of the ordinary
/// kernel, args.in[1] included, of which only the shape is read.
namespace tenure::cpu {

/// Index of an additional conv2d input that only these kernels take: a residual of the output's shape, added
/// to the products.
constexpr int kResidual = 3;
/// Index of an additional conv2d input that only these kernels take: PReLU slopes for negative sums, one per
/// output channel.
constexpr int kSlopes = 4;

/// Packs a float32 matrix of rank 2, the second input of mat_mul; `transposed` is the op's transpose_b.
PackedWeight pack_mat_mul(const Tensor& b, bool transposed);
/// Computes mat_mul of float32 inputs with a packed `b`; `a` must not be transposed. A bias has one element
/// per column.
void mat_mul_packed(const KernelArgs& args, const PackedWeight& b);

/// Packs a filter of conv2d without groups, for inputs of the shape of `x`.
PackedWeight pack_conv2d(const Tensor& x, const Tensor& filter, const ConvAttrs& attrs);
/// Computes conv2d with a packed filter. Runs the post-op `post_op` on the result, unless it is null.
void conv2d_packed(const KernelArgs& args, const PackedWeight& filter, const PostOp* post_op);
/// Computes conv2d with an unpacked filter. Runs the post-op `post_op` on the result, unless it is null.
void conv2d_with_post_op(const KernelArgs& args, const PostOp* post_op);
/// Computes depthwise_conv2d. Runs the post-op `post_op` on the result, unless it is null.
void depthwise_conv2d_with_post_op(const KernelArgs& args, const PostOp* post_op);

/// Packs the constant weights of mat_mul and conv2d. Returns null for other ops, and where packing is not
/// profitable.
std::unique_ptr<PreparedKernel> prepare(Op op, Inputs in, AttrsView attrs);

}  // namespace tenure::cpu
