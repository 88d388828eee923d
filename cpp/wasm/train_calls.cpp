// The raw calls of optimizers.

#include "ops/math/optimizer.h"
#include "owner/ownership.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

/// References to the bytes of an unshared tensor in tn_update(): its handle, and the local copy.
constexpr std::uint32_t kUnshared = 2;

}  // namespace

/// Runs one optimizer step of a variable. The scratch has the ids of its gradient, the variable and its
/// slots, `count` in all, and then the attributes.
TENURE_CALL int tn_update(int count, int attr_words) {
  return guarded([&] {
    check(count >= 2 && count <= 5, "expected a gradient, a variable and its slots, got ", count, " tensors");
    Tensors tensors = tensors_in_scratch(count);
    const auto attrs = attrs_in_scratch(kIdWords * count, attr_words).as<UpdateAttrs>();
    update(attrs, tensors[0], std::span(tensors).subspan(1), kUnshared);
    for (int i = 1; i < count; ++i)
      ownership().assign(read_id(scratch + kIdWords * i), std::move(tensors[static_cast<std::size_t>(i)]));
    return 0;
  });
}

}  // namespace tenure::wasm
