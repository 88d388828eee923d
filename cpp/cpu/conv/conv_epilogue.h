#pragma once

#include "cpu/gemm/bias.h"
#include "cpu/gemm/gemm.h"
#include "cpu/gemm/packed_kernels.h"

namespace tenure::cpu {

/// Returns what a convolution of float32 does with its products before it stores them. `bias` is that of its
/// inputs.
inline gemm::Epilogue make_conv_epilogue(const KernelArgs& args, const ColumnBias& bias) {
  const auto attrs = args.attrs.as<ConvAttrs>();
  return {.bias = bias.values(),
          .activation = attrs.activation,
          .alpha = attrs.alpha,
          .result = args.out.data<float>(),
          .residual = args.in.has(kResidual) ? args.in[kResidual].data<float>() : nullptr,
          .slopes = args.in.has(kSlopes) ? args.in[kSlopes].data<float>() : nullptr};
}

}  // namespace tenure::cpu
