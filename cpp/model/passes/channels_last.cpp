#include "model/passes/channels_last.h"

#include "ops/ops.h"

namespace tenure {

Tensor to_channels_last(const Tensor& x, bool channels_first) {
  if (!channels_first || x.rank() < 3) return x;
  PermutationAttrs order{.perm = {0}};
  for (int i = 2; i < x.rank(); ++i) order.perm.push_back(i);
  order.perm.push_back(1);
  return transpose(x, order);
}

Tensor from_channels_last(const Tensor& x, bool channels_first) {
  if (!channels_first || x.rank() < 3) return x;
  PermutationAttrs order{.perm = {0, x.rank() - 1}};
  for (int i = 1; i + 1 < x.rank(); ++i) order.perm.push_back(i);
  return transpose(x, order);
}

}  // namespace tenure
