#include "cpu/gemm/packed_weight.h"

#include "catch.h"
#include "core/memory/allocator.h"
#include "core/memory/scaled_weight.h"
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

}  // namespace tenure
