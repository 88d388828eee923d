#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

EdgeValues filled_rows(const Call& call) {
  Tensors results = sparse_fill_empty_rows(call.value(0), call.value(1), call.value(2), call.value(3));
  return {results.begin(), results.end()};
}

EdgeValues reshaped(const Call& call) {
  Tensors results = sparse_reshape(call.value(0), call.value(1), call.value(2));
  return {results.begin(), results.end()};
}

Tensor summed(const Call& call) { return sparse_segment_sum(call.value(0), call.value(1), call.value(2))[0]; }
Tensor averaged(const Call& call) {
  return sparse_segment_mean(call.value(0), call.value(1), call.value(2))[0];
}

constexpr Row kRows[] = {
    {"SparseFillEmptyRows", filled_rows,
     "output_indices,output_values,empty_row_indicator,reverse_index_map"},
    {"SparseReshape", reshaped, "output_indices,output_shape"},
    {"SparseSegmentMean", averaged},
    {"SparseSegmentSum", summed},
};

}  // namespace

std::span<const Row> sparse_rows() { return kRows; }

}  // namespace tenure::graphdef
