// The raw calls for scopes.

#include "owner/ownership.h"
#include "wasm/call.h"

namespace tenure::wasm {

TENURE_CALL int tn_open_scope() {
  return guarded([&] { return static_cast<int>(ownership().open_scope()); });
}
/// A scope that is opened as a child of another, or of the caller for 0, and is not made current: its name
/// stands in the scratch, ended by a 0.
TENURE_CALL int tn_make_scope(int parent) {
  return guarded([&] {
    const auto* name = reinterpret_cast<const char*>(scratch);
    return static_cast<int>(ownership().make_scope(static_cast<ScopeId>(parent), name));
  });
}
/// Makes a scope current; gives the one that was, for tn_leave_scope().
TENURE_CALL int tn_enter_scope(int scope) {
  return guarded([&] { return static_cast<int>(ownership().enter(static_cast<ScopeId>(scope))); });
}
TENURE_CALL void tn_leave_scope(int previous) { ownership().leave(static_cast<ScopeId>(previous)); }
TENURE_CALL int tn_hand_to_parent(std::int32_t handle, int scope) {
  return guarded([&] {
    ownership().hand_to_parent(static_cast<Handle>(handle), static_cast<ScopeId>(scope));
    return 0;
  });
}
TENURE_CALL int tn_pass_out(std::int32_t handle, int scope) {
  return guarded([&] {
    ownership().pass_out(static_cast<Handle>(handle), static_cast<ScopeId>(scope));
    return 0;
  });
}
TENURE_CALL int tn_attach(std::int32_t handle, int scope) {
  return guarded([&] {
    ownership().attach(static_cast<Handle>(handle), static_cast<ScopeId>(scope));
    return 0;
  });
}
/// The id of the scope's own handle on the tensor's bytes.
TENURE_CALL int tn_borrow(std::int32_t handle, int scope) {
  return guarded([&] {
    return static_cast<int>(ownership().borrow(static_cast<Handle>(handle), static_cast<ScopeId>(scope)));
  });
}
TENURE_CALL int tn_cap_scope(int scope) {
  return guarded([&] {
    ownership().cap(static_cast<ScopeId>(scope));
    return 0;
  });
}
TENURE_CALL void tn_close_scope(int scope) { ownership().close_scope(static_cast<ScopeId>(scope)); }
TENURE_CALL int tn_current_scope() { return static_cast<int>(ownership().current_scope()); }
TENURE_CALL int tn_scope_is_open(int scope) { return ownership().is_open(static_cast<ScopeId>(scope)); }
/// How many tensors the scope and those inside own; their bytes stand in the scratch.
TENURE_CALL int tn_scope_totals(int scope) {
  const Totals totals = ownership().totals(static_cast<ScopeId>(scope));
  scratch[0] = static_cast<std::int32_t>(totals.bytes);
  return static_cast<int>(totals.tensors);
}
/// The scope and those inside as text, until the next error or dump.
TENURE_CALL const char* tn_dump_scope(int scope) {
  last_error().message = ownership().dump(static_cast<ScopeId>(scope));
  return last_error().message.c_str();
}
/// Describes in the scratch the tensors that the scope and those inside own, or for 0 all there are, from a
/// slot on; gives their number. The first word says where to go on, and is 0 at the end.
TENURE_CALL int tn_list(int scope, std::uint32_t first) {
  std::int32_t* at = scratch + 1;
  int count = 0;
  const std::uint32_t next =
      ownership().scan(static_cast<ScopeId>(scope), first, [&](Handle handle, const Tensor& tensor) {
        if (at + 3 + tensor.rank() > scratch + kScratchWords) return false;
        at = write_tensor(at, handle, tensor);
        ++count;
        return true;
      });
  scratch[0] = static_cast<std::int32_t>(next);
  return count;
}

}  // namespace tenure::wasm
