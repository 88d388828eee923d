#include "cpu/gemm/panel_weight.h"

#include "catch.h"
#include "core/memory/allocator.h"
#include "core/memory/scaled_weight.h"
#include "model/models.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using cpu::PanelWeight;
using cpu::PreparedWeight;
using test::difference;
using test::some_values;

std::size_t live() { return allocator_stats().live; }

/// Allowance in bytes for bookkeeping; far less than a weight.
constexpr std::size_t kElse = 1024;

}  // namespace

TEST_CASE("A weight takes the form of panels where it lies, and is read as before", "[cpu][weights]") {
  for (const bool transposed : {false, true}) {
    const Tensor weight = some_values({48, 64}, 1);
    const Tensor same = some_values({48, 64}, 1);
    const void* place = weight.storage()->data();
    const std::size_t before = live();
    const PreparedWeight prepared = PanelWeight::prepare(weight, transposed ? 48 : 64, transposed);
    CHECK(prepared.panels.storage()->data() == place);
    CHECK_FALSE(static_cast<bool>(prepared.scale));
    CHECK(live() - before < kElse);
    {
      const BriefUnpacking brief;
      CHECK(difference(weight, same) == 0);
    }
    // The same form is shared; another form is packed from the values.
    CHECK(PanelWeight::prepare(weight, transposed ? 48 : 64, transposed).panels.storage() ==
          prepared.panels.storage());
    const PreparedWeight other = PanelWeight::prepare(weight, transposed ? 64 : 48, !transposed);
    CHECK(other.panels.storage() != prepared.panels.storage());
    CHECK(difference(weight, same) == 0);
  }
}

TEST_CASE("Columns that fill no panel find a place elsewhere, and the rows are freed", "[cpu][weights]") {
  for (const std::int32_t columns : {1, 7, 13, 121}) {
    for (const bool transposed : {false, true}) {
      const Shape shape = transposed ? Shape{columns, 30} : Shape{30, columns};
      const Tensor weight = some_values(shape, 1);
      const std::size_t before = live();
      const PreparedWeight prepared = PanelWeight::prepare(weight, columns, transposed);
      CHECK(live() < before + std::size_t{30} * 8 * sizeof(float) + kElse);
      CHECK(difference(weight, some_values(shape, 1)) == 0);
    }
  }
}

TEST_CASE("What is read in place stays as it is", "[cpu][weights]") {
  const Tensor weight = some_values({16, 16}, 1);
  weight.storage()->read_in_place();
  const float* data = weight.data<float>();
  const PreparedWeight prepared = PanelWeight::prepare(weight, 16, false);
  CHECK(weight.data<float>() == data);
  CHECK(prepared.panels.storage() != weight.storage());
}

TEST_CASE("A scaled weight is its product, and shares the memory of the weight", "[cpu][weights]") {
  const Tensor weight = some_values({200, 104}, 1);
  const Tensor scale = some_values({104}, 2);
  const Tensor product = ScaledWeight::make(weight, scale);
  CHECK(difference(product, mul(weight, scale)) == 0);
  const Tensor of_rows = some_values({200, 1}, 3);
  CHECK(difference(ScaledWeight::make(weight, of_rows), mul(weight, of_rows)) == 0);

  const Tensor again = ScaledWeight::make(weight, scale);
  const std::size_t before = live();
  const PreparedWeight prepared = PanelWeight::prepare(again, 104, false);
  CHECK(live() - before < kElse);
  CHECK(prepared.scale.storage() == scale.storage());
  CHECK(PanelWeight::prepare(weight, 104, false).panels.storage() == prepared.panels.storage());
  CHECK(difference(again, mul(some_values({200, 104}, 1), scale)) == 0);
}

}  // namespace tenure
