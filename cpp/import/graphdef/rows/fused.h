#pragma once

#include "import/graphdef/row.h"

namespace tenure::graphdef {

/// The epilogue of a fused op: bias and activation.
struct FusedEpilogue {
  Tensor bias;
  Tensor prelu_alpha;  ///< alpha of a Prelu
  Activation activation = Activation::kLinear;
  float alpha = 0;
};

/// Reads the fused ops of a node. Their arguments are the inputs from number 2 on. Throws for unknown ops and
/// missing arguments.
FusedEpilogue read_fused(const Call& call);
Tensor activate(const Tensor& x, const FusedEpilogue& fused);

}  // namespace tenure::graphdef
