#include "ops/autodiff/gradient.h"
#include "ops/dtypes.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {

TensorSpec transpose(Inputs in, const PermutationAttrs& attrs) {
  const int rank = in[0].rank();
  const Dims& perm = attrs.perm;
  check_shape(perm.empty() || perm.size() == rank, "Error in transpose: rank of input ", rank,
              " must match length of perm ", perm, ".");
  Shape shape;
  Dims seen;
  for (int i = 0; i < rank; ++i) {
    const int axis = perm.empty() ? rank - 1 - i : perm[i];
    check_shape(axis >= 0 && axis < rank, "All entries in 'perm' must be between 0 and ", rank - 1,
                " but got ", perm);
    check_shape(!seen.contains(axis), "perm must name each axis once, got ", perm);
    seen.push_back(axis);
    shape.push_back(in[0].dim(axis));
  }
  return {shape, in[0].dtype()};
}

}  // namespace tenure::infer

namespace tenure::grad {

Tensors transpose(const GradientArgs& args, const PermutationAttrs& attrs) {
  PermutationAttrs inverse = attrs;
  for (int i = 0; i < attrs.perm.size(); ++i) inverse.perm[attrs.perm[i]] = i;
  return {transpose(args.g, inverse)};
}

}  // namespace tenure::grad
