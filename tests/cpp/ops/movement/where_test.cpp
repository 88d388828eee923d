#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;

TEST_CASE("where refuses conditions that are no bools, and shapes that do not fit", "[where]") {
  const Tensor floats = counted({2});
  const Tensor bools = counted({3}, DType::kBool);
  CHECK(error_of([&] { where(floats, floats, floats); }) ==
        "[where] Argument 'condition' passed to 'where' must be bool tensor, but got float32 tensor");
  CHECK(error_of([&] { where(bools, floats, floats); }) ==
        "[where] Operands could not be broadcast together with shapes [3] and [2].");
}

}  // namespace
}  // namespace tenure
