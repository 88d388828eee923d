#include "cpu/elementwise/activation.h"

#include <algorithm>

#include "core/activation.h"
#include "cpu/elementwise/chain.h"

namespace tenure::cpu {

void apply_activation(float* values, std::size_t count, Activation activation, float alpha) {
  const UnaryRow& row = *float_row(activation_def(activation).op).unary;
  const AlphaAttrs attrs = {get_fused_alpha(activation, alpha)};
  const std::size_t whole = count / simd::kLanes * simd::kLanes;
  if (whole > 0) row.run(values, values, whole, &attrs);
  if (whole == count) return;
  // Row kernels compute whole vectors, and another thread may be writing what lies behind.
  alignas(16) float rest[simd::kLanes] = {};
  std::copy_n(values + whole, count - whole, rest);
  row.run(rest, rest, simd::kLanes, &attrs);
  std::copy_n(rest, count - whole, values + whole);
}

}  // namespace tenure::cpu
