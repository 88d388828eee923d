#include <vector>

#include "catch.h"
#include "shape_util/reduce.h"
#include "shape_util/reduction_plan.h"
#include "shape_util/split_k.h"
#include "shape_util/strided_indexer.h"

namespace tenure {
namespace {

TEST_CASE("A reduction's dimensions collapse, and are taken from the last to the first", "[shape_util]") {
  CollapsedReduction reduction({2, 3, 1, 4, 5, 6}, {1, 2, 4});
  Extents last = reduction.pop();
  CHECK(last.outer == 2 * 3 * 4);
  CHECK(last.reduced == 5);
  CHECK(last.inner == 6);
  last = reduction.pop();
  CHECK(last.outer == 2);
  CHECK(last.reduced == 3);
  CHECK(last.inner == 4 * 6);
  CHECK_FALSE(reduction.any_reduced());
  last = reduction.pop();
  CHECK(last.outer == 1);
  CHECK(last.reduced == 1);
  CHECK(last.inner == 2 * 4 * 6);
}

TEST_CASE("Reducing all dimensions leaves one number, and reducing ones is no reduction", "[shape_util]") {
  CollapsedReduction all({2, 3}, {0, 1});
  const Extents extents = all.pop();
  CHECK(extents.outer == 1);
  CHECK(extents.reduced == 6);
  CHECK(extents.inner == 1);
  CHECK_FALSE(all.any_reduced());
  CHECK_FALSE(CollapsedReduction({2, 1, 3}, {1}).any_reduced());
}

TEST_CASE("The chunks of a long sum cover it", "[shape_util]") {
  const int length = GENERATE(1, 63, 64, 200, 1000, 100000);
  const std::size_t sums = GENERATE(std::size_t{1}, std::size_t{10}, std::size_t{5000});
  const SplitK split(length, sums, 1024);
  CHECK(split.count >= 1);
  CHECK(split.share * split.count >= length);
  CHECK(split.share * (split.count - 1) < length);
  if (length < 128 || sums >= 1024) CHECK(split.count == 1);
}

TEST_CASE("Only column plans are split, and their parts divide the work", "[shape_util]") {
  const Extents few_columns{1, 100000, 8};
  const ReductionPlan plan(few_columns);
  CHECK(plan.kind == ReductionPlan::kColumns);
  CHECK(plan.parts > 1);
  CHECK(plan.folds * few_columns.inner % 4 == 0);
  const ReductionPlan rows({1000, 10, 1});
  CHECK(rows.kind == ReductionPlan::kRows);
  CHECK(rows.parts == 1);
  CHECK(ReductionPlan({3, 5, 7}).kind == ReductionPlan::kStrided);
}

TEST_CASE("Dimensions that continue each other in all inputs are merged", "[shape_util]") {
  StridedIndexer merged;
  merged.add(2, {12, 12, 0});
  merged.add(1, {99, 99, 99});
  merged.add(3, {4, 4, 0});
  merged.add(4, {1, 1, 0});
  merged.finish();
  CHECK(merged.rank == 1);
  CHECK(merged.extent[0] == 24);
  StridedIndexer apart;
  apart.add(3, {4, 1, 0});
  apart.add(4, {1, 3, 0});
  apart.finish();
  CHECK(apart.rank == 2);
  StridedIndexer scalar;
  scalar.finish();
  CHECK(scalar.rank == 1);
  CHECK(scalar.extent[0] == 1);
}

}  // namespace
}  // namespace tenure
