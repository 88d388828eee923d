#pragma once

#include "import/graphdef/row.h"

namespace tenure::graphdef {

/// What a fused op does to its product.
struct Fused {
  Tensor bias;
  Tensor slopes;  ///< of a Prelu
  Activation activation = Activation::kLinear;
  float alpha = 0;
};

/// Reads the fused ops of a node whose inputs from the third on are their arguments. Throws for ops and
/// numbers of arguments that are not known.
Fused read_fused(const Call& call);
Tensor activate(const Tensor& x, const Fused& fused);

}  // namespace tenure::graphdef
