#include "import/graphdef/row.h"

#include <algorithm>

#include "import/graphdef/families.h"

namespace tenure::graphdef {
namespace {

using Family = std::span<const Row> (*)();
// The most used families first, because find_row() searches in this order.
constexpr Family kFamilies[] = {graph_rows,      convolution_rows,    arithmetic_rows,    basic_math_rows,
                                slice_join_rows, transformation_rows, normalization_rows, matrices_rows,
                                reduction_rows,  logical_rows,        creation_rows,      image_rows,
                                control_rows,    tensor_array_rows,   tensor_list_rows,   hash_table_rows,
                                dynamic_rows,    evaluation_rows,     string_rows,        sparse_rows,
                                ragged_rows,     spectral_rows};

}  // namespace

const Row* find_row(std::string_view op) {
  for (const Family family : kFamilies) {
    const std::span<const Row> rows = family();
    const auto at = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.op == op; });
    if (at != rows.end()) return &*at;
  }
  return nullptr;
}

}  // namespace tenure::graphdef
