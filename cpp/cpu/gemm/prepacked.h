#pragma once

#include "core/run/backend.h"
#include "cpu/gemm/panel_weight.h"

/// Kernels whose constant second input was packed beforehand: pack once, run many times. `args` are those of
/// the ordinary kernel, args.in[1] included; only its shape is read.
namespace tenure::cpu {

/// An input of conv2d here alone, behind its bias: of the output's shape, and added to the products.
constexpr int kResidual = 3;
/// Likewise, one for each channel of the output, for sums below zero.
constexpr int kSlopes = 4;

/// A float32 matrix of rank 2, the second input of mat_mul; `transposed` is the op's transpose_b.
PreparedWeight pack_mat_mul(const Tensor& b, bool transposed);
/// mat_mul of float32 inputs, `a` not transposed. A bias is one for each column.
void mat_mul_prepacked(const KernelArgs& args, const PreparedWeight& b);

/// A filter of conv2d without groups, for inputs of the shape of `x`.
PreparedWeight pack_conv2d(const Tensor& x, const Tensor& filter, const ConvAttrs& attrs);
/// `then` may be null.
void conv2d_prepacked(const KernelArgs& args, const PreparedWeight& filter, const Follower* then);
/// Likewise with filters as they are.
void conv2d_then(const KernelArgs& args, const Follower* then);
void depthwise_conv2d_then(const KernelArgs& args, const Follower* then);

/// Packs the constant weights of mat_mul and conv2d; null for anything else, and where packing would not pay.
std::unique_ptr<PreparedKernel> prepare(Op op, Inputs in, AttrsView attrs);

}  // namespace tenure::cpu
