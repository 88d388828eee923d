// The raw calls of optimizers.

#include "ops/optimizer.h"
#include "owner/ownership.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

/// What an unshared tensor's bytes are seen by here: its handle, and the copy at hand.
constexpr std::uint32_t kUnshared = 2;

}  // namespace

/// One update of a variable: in the scratch stand the ids of its gradient, of the variable and of its slots,
/// `count` in all, and behind them the attributes.
TENURE_CALL int tn_update(int count, int attr_words) {
  return guarded([&] {
    Tensors tensors;
    check(count >= 2 && count <= 5, "expected a gradient, a variable and its slots, got ", count, " tensors");
    for (int i = 0; i < count; ++i) tensors.push_back(ownership().get(read_id(scratch + kIdWords * i)));
    const AttrsView attrs({scratch + kIdWords * count, static_cast<std::size_t>(attr_words)});
    const std::span state = std::span(tensors).subspan(1);
    update(attrs.as<UpdateAttrs>(), tensors[0], state, kUnshared);
    for (int i = 1; i < count; ++i) {
      const Handle handle = read_id(scratch + kIdWords * i);
      Tensor& next = tensors[static_cast<std::size_t>(i)];
      // As assign() does.
      next.set_value(ownership().get(handle).value());
      ownership().assign(handle, std::move(next));
    }
    return 0;
  });
}

}  // namespace tenure::wasm
