#include <algorithm>

#include "import/graphdef/families.h"
#include "ops/ops.h"
#include "ops/text/row_partitions.h"

namespace tenure::graphdef {
namespace {

/// Gathers rows of a ragged tensor. The splits are the first inputs and outputs, outermost dimension first.
EdgeValues gathered_rows(const Call& call) {
  const int splits = call.size() - 2;
  check(splits >= 1, "expected splits, values and indices, got ", call.size(), " inputs");
  const Tensors nested = call.values(0, splits);
  Tensors results = ragged_gather(call.value(splits), call.value(splits + 1), nested);
  return {results.begin(), results.end()};
}

EdgeValues ranges(const Call& call) {
  Tensors results = ragged_range(call.value(0), call.value(1), call.value(2));
  return {results.begin(), results.end()};
}

RowPartition parse_partition(std::string_view string) {
  const auto* const at = std::find(std::begin(kRowPartitions), std::end(kRowPartitions), string);
  check(at != std::end(kRowPartitions), "unknown row partition type '", string, "'");
  return static_cast<RowPartition>(at - std::begin(kRowPartitions));
}

Tensor made_dense(const Call& call) {
  std::vector<std::int32_t> types;
  for (const std::string& string : call.attrs().strings("row_partition_types"))
    types.push_back(static_cast<std::int32_t>(parse_partition(string)));
  const Tensors partitions = call.values(3, call.size());
  return ragged_tensor_to_tensor(call.value(0), call.value(1), call.value(2), partitions,
                                 {.types = types})[0];
}

constexpr Row kRows[] = {
    {"RaggedGather", gathered_rows, "output_nested_splits,output_dense_values"},
    {"RaggedRange", ranges, "rt_nested_splits,rt_dense_values"},
    {"RaggedTensorToTensor", made_dense},
};

}  // namespace

std::span<const Row> ragged_rows() { return kRows; }

}  // namespace tenure::graphdef
