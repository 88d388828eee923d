#include "cpu/gemm/packed_weight.h"

#include "catch.h"
#include "core/memory/allocator.h"
#include "core/memory/scaled_weight.h"
#include "core/memory/transposed_filter.h"
#include "model/models.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using cpu::PackedWeight;
using cpu::PackedWeightData;
using test::difference;
using test::random_values;

std::size_t live() { return allocator_stats().live; }

/// Allowance in bytes for bookkeeping; far less than a weight.
constexpr std::size_t kElse = 1024;

}  // namespace

TEST_CASE("A weight takes the form of panels where it lies, and is read as before", "[cpu][weights]") {
  for (const bool transposed : {false, true}) {
    const Tensor weight = random_values({48, 64}, 1);
    const Tensor same = random_values({48, 64}, 1);
    const void* place = weight.storage()->data();
    const std::size_t before = live();
    const PackedWeight prepared = PackedWeightData::prepare(weight, transposed ? 48 : 64, transposed);
    CHECK(prepared.panels.storage()->data() == place);
    CHECK_FALSE(static_cast<bool>(prepared.scale));
    CHECK(live() - before < kElse);
    {
      const ScopedMaterialization brief;
      CHECK(difference(weight, same) == 0);
    }
    // The same form is shared; another form is packed from the values.
    CHECK(PackedWeightData::prepare(weight, transposed ? 48 : 64, transposed).panels.storage() ==
          prepared.panels.storage());
    const PackedWeight other = PackedWeightData::prepare(weight, transposed ? 64 : 48, !transposed);
    CHECK(other.panels.storage() != prepared.panels.storage());
    CHECK(difference(weight, same) == 0);
  }
}

TEST_CASE("Columns that fill no panel find a place elsewhere, and the rows are freed", "[cpu][weights]") {
  for (const std::int32_t columns : {1, 7, 13, 121}) {
    for (const bool transposed : {false, true}) {
      const Shape shape = transposed ? Shape{columns, 30} : Shape{30, columns};
      const Tensor weight = random_values(shape, 1);
      const std::size_t before = live();
      const PackedWeight prepared = PackedWeightData::prepare(weight, columns, transposed);
      CHECK(live() < before + std::size_t{30} * 8 * sizeof(float) + kElse);
      CHECK(difference(weight, random_values(shape, 1)) == 0);
    }
  }
}

TEST_CASE("What is read in place stays as it is", "[cpu][weights]") {
  const Tensor weight = random_values({16, 16}, 1);
  weight.storage()->pin();
  const float* data = weight.data<float>();
  const PackedWeight prepared = PackedWeightData::prepare(weight, 16, false);
  CHECK(weight.data<float>() == data);
  CHECK(prepared.panels.storage() != weight.storage());
}

TEST_CASE("A scaled weight is its product, and shares the memory of the weight", "[cpu][weights]") {
  const Tensor weight = random_values({200, 104}, 1);
  const Tensor scale = random_values({104}, 2);
  const Tensor product = ScaledWeight::make(weight, scale);
  CHECK(difference(product, mul(weight, scale)) == 0);
  const Tensor of_rows = random_values({200, 1}, 3);
  CHECK(difference(ScaledWeight::make(weight, of_rows), mul(weight, of_rows)) == 0);

  const Tensor again = ScaledWeight::make(weight, scale);
  const std::size_t before = live();
  const PackedWeight prepared = PackedWeightData::prepare(again, 104, false);
  CHECK(live() - before < kElse);
  CHECK(prepared.scale.storage() == scale.storage());
  CHECK(PackedWeightData::prepare(weight, 104, false).panels.storage() == prepared.panels.storage());
  CHECK(difference(again, mul(random_values({200, 104}, 1), scale)) == 0);
}

TEST_CASE("Weights take the form of the panels of their transposed filter", "[cpu][weights]") {
  const Shape shape{16, 5, 3, 3};
  const Tensor weights = random_values(shape, 1);
  const Tensor same = random_values(shape, 1);
  const void* place = weights.storage()->data();
  const Tensor expected = transpose(same, {Dims{2, 3, 1, 0}});
  const std::size_t before = live();
  const ScopedMaterialization materialized;
  const Tensor filter = TransposedFilter::transpose(weights);
  CHECK(filter.shape() == Shape{3, 3, 5, 16});
  const PackedWeight prepared = PackedWeightData::prepare(filter, 16, false);
  CHECK(prepared.panels.storage()->data() == place);
  CHECK(live() - before < 2 * kElse);
  {
    const ScopedMaterialization brief;
    CHECK(difference(weights, same) == 0);
    CHECK(difference(filter, expected) == 0);
  }
  // A second filter of the weights shares the panels; rows of the weights are not those of the filter.
  const Tensor again = TransposedFilter::transpose(weights);
  CHECK(PackedWeightData::prepare(again, 16, false).panels.storage() == prepared.panels.storage());
  CHECK(PackedWeightData::prepare(weights, 16, false).panels.storage() != prepared.panels.storage());
  CHECK(PackedWeightData::prepare(expected, 16, false).panels.storage() != prepared.panels.storage());
}

TEST_CASE("A scaled filter leaves its weights to the panels", "[cpu][weights]") {
  const Tensor weights = random_values({16, 5, 3, 3}, 1);
  const Tensor scale = random_values({16}, 2);
  const Tensor product = mul(transpose(weights, {Dims{2, 3, 1, 0}}), scale);
  const ScopedMaterialization materialized;
  const Tensor scaled = ScaledWeight::make(TransposedFilter::transpose(weights), scale);
  const PackedWeight prepared = PackedWeightData::prepare(scaled, 16, false);
  CHECK(prepared.scale.storage() == scale.storage());
  CHECK(weights.storage()->is_packed());
  CHECK(difference(scaled, product) == 0);
}

}  // namespace tenure
