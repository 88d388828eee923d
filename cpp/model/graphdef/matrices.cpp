#include "model/graphdef/families.h"
#include "model/graphdef/fused.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

MatMulAttrs product_attrs(const Call& call) {
  return {.transpose_a = call.attrs().flag("transpose_a", call.attrs().flag("adj_x")),
          .transpose_b = call.attrs().flag("transpose_b", call.attrs().flag("adj_y"))};
}

Tensor product(const Call& call) { return mat_mul(call[0], call[1], product_attrs(call)); }

Tensor fused_product(const Call& call) {
  const Fused fused = read_fused(call);
  // The kernel takes a bias for each column.
  const bool is_vector = !fused.bias || fused.bias.rank() == 1;
  const Tensor result = mat_mul(call[0], call[1], is_vector ? fused.bias : Tensor(), product_attrs(call));
  return activate(is_vector ? result : add(result, fused.bias), fused);
}

Tensor transposed(const Call& call) { return transpose(call[0], {call.dims(1)}); }

constexpr Row kRows[] = {
    {"_FusedMatMul", fused_product}, {"MatMul", product},       {"BatchMatMul", product},
    {"BatchMatMulV2", product},      {"Transpose", transposed},
};

}  // namespace

std::span<const Row> matrices_rows() { return kRows; }

}  // namespace tenure::graphdef
