#include "import/graphdef/families.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

EdgeValues largest(const Call& call) {
  Tensors results = topk(call[0], {call.integer(1)});
  return {results.begin(), results.end()};
}

template <bool right>
Tensor bound(const Call& call) {
  return search_sorted(call[0], call[1], {.right = right});
}

EdgeValues distinct(const Call& call) {
  // An empty list of axes stands for no axis.
  const bool has_axis = call.size() > 1 && call.value(1).elements() > 0;
  Tensors results = unique(call.value(0), {has_axis ? call.integer(1) : 0});
  return {results.begin(), results.end()};
}

constexpr Row kRows[] = {
    {"TopKV2", largest, "values,indices"}, {"LowerBound", bound<false>},    {"UpperBound", bound<true>},
    {"Unique", distinct, "y,idx"},         {"UniqueV2", distinct, "y,idx"},
};

}  // namespace

std::span<const Row> evaluation_rows() { return kRows; }

}  // namespace tenure::graphdef
