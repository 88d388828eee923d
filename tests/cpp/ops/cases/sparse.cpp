#include "ops/cases/case.h"

// Cases of the host ops: strings, sparse and ragged tensors.
namespace tenure::cases {
namespace {

constexpr const char* kOnHost = "on the host";

void add_strings(Table& table) {
  const Input words_of_two = words({2, 3, 2}, {"a", "", "-b", "--c", "d", "ee", "f"});
  table.add(Op::transpose, {words_of_two}, PermutationAttrs{{2, 0, 1}});
  table.add(Op::concat, {words_of_two, words_of_two}, AxisAttrs{1});
  table.add(Op::slice, {words_of_two}, SliceAttrs{{0, 1, 0}, {2, 2, 1}});
  table.add(Op::tile, {words_of_two}, TileAttrs{{2, 1, 3}});
  table.add(Op::gather, {words_of_two, indices({3}, {1, 0, 1})}, GatherAttrs{.axis = 1});
  table.add(Op::where, {bools({2}), words_of_two, words({1}, {"else"})});
  for (const Op op : {Op::equal, Op::not_equal, Op::less, Op::less_equal, Op::greater, Op::greater_equal})
    table.add(op, {words({3, 1}, {"a", "b", ""}), words({2}, {"a", "ab"})}, NoneAttrs{},
              {.skip_gradients = "of strings"});
  table.add(Op::string_split, {words({4}, {"#a", "b#c#", "", "#"}), words({}, {"#"})},
            StringSplitAttrs{.skip_empty = false});
  static constexpr std::int32_t kWidths[] = {1, 3};
  table.add(Op::string_n_grams,
            {words({4}, {"a", "b", "c", "d"}), indices({3}, {0, 3, 4}), words({1}, {"|"}), words({1}, {"L"}),
             words({1}, {"R"})},
            StringNGramsAttrs{.widths = kWidths, .pad_width = -1});
  table.add(Op::string_to_hash_bucket_fast, {words({2, 2}, {"a", "b", "c", "d"})},
            HashBucketsAttrs{.low = 10});
}

void add_rows(Table& table) {
  const Options host{.skip_gradients = kOnHost};
  for (const DType dtype : {DType::kFloat32, DType::kInt32, DType::kBool}) {
    table.add(
        Op::sparse_fill_empty_rows,
        {indices({3, 2}, {2, 1, 0, 3, 2, 0}), of_type(dtype, {3}), indices({2}, {4, 5}), of_type(dtype, {})},
        NoneAttrs{}, host);
  }
  table.add(Op::sparse_reshape,
            {indices({3, 2}, {0, 0, 0, 1, 2, 4}), indices({2}, {3, 5}), indices({2}, {5, -1})});
  for (const Op op : {Op::sparse_segment_sum, Op::sparse_segment_mean}) {
    for (const DType dtype : {DType::kFloat32, DType::kInt32})
      table.add(op, {of_type(dtype, {3, 4}), indices({3}, {0, 1, 2}), indices({3}, {0, 0, 2})}, NoneAttrs{},
                host);
  }
  table.add(Op::ragged_gather, {floats({9, 1}), indices({4}, {2, 1, 0, 3}), indices({5}, {0, 3, 3, 7, 9})},
            NoneAttrs{}, host);
  table.add(Op::ragged_range, {given({3}, {0, 5, 8}), given({3}, {8, 7, 8}), given({3}, {2, 1, 1})},
            NoneAttrs{}, host);
  table.add(Op::ragged_range, {indices({3}, {0, 5, 8}), indices({3}, {8, 7, 8}), indices({3}, {2, 1, 1})});
  static constexpr std::int32_t kSplits[] = {static_cast<std::int32_t>(RowPartition::kRowSplits)};
  table.add(Op::ragged_tensor_to_tensor,
            {indices({2}, {4, 4}), floats({9}), floats({}), indices({5}, {0, 3, 3, 7, 9})},
            RaggedPartitionsAttrs{.types = kSplits}, host);
}

}  // namespace

void add_sparse(Table& table) {
  add_strings(table);
  add_rows(table);
}

}  // namespace tenure::cases
