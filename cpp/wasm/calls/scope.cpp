// The raw calls for scopes.

#include "owner/ownership.h"
#include "wasm/call.h"

namespace tenure::wasm {

namespace {

ScopeId last_opened = 0;

}  // namespace

TENURE_CALL double tn_open_scope() {
  return guarded([&] {
    last_opened = ownership().open_scope();
    return static_cast<double>(last_opened);
  });
}
/// Returns the scope of the last tn_open_scope(), whose caller may not have received it: a time limit may
/// have ended it before.
TENURE_CALL double tn_last_scope() { return static_cast<double>(last_opened); }
/// Opens a scope as a child of `parent`, 0 for the caller, without making it current. Its name is in the
/// scratch, terminated by 0. If `detachable` is set, the scope outlives a tn_end_scope() of its parent.
TENURE_CALL double tn_make_scope(double parent, int detachable) {
  return guarded([&] {
    const auto* name = reinterpret_cast<const char*>(scratch);
    return static_cast<double>(ownership().make_scope(id_from(parent), name, detachable != 0));
  });
}
/// Makes a scope part of a data pipeline.
TENURE_CALL int tn_put_in_pipeline(double scope) {
  return guarded([&] {
    ownership().mark_in_pipeline(id_from(scope));
    return 0;
  });
}
/// Makes a scope current. Returns the previous one, for tn_leave_scope().
TENURE_CALL double tn_enter_scope(double scope) {
  return guarded([&] { return static_cast<double>(ownership().enter(id_from(scope))); });
}
TENURE_CALL void tn_leave_scope(double previous) {
  unguarded([&] { ownership().leave(id_from(previous)); });
}
/// Makes a scope current; for a closed scope and for 0, the caller.
TENURE_CALL void tn_set_current_scope(double scope) {
  unguarded([&] { ownership().set_current(id_from(scope)); });
}
TENURE_CALL double tn_lasting_scope() { return static_cast<double>(ownership().lasting_scope()); }
TENURE_CALL int tn_hand_to_parent(double handle, double scope) {
  return guarded([&] {
    ownership().move_to_parent(id_from(handle), id_from(scope));
    return 0;
  });
}
TENURE_CALL int tn_pass_out(double handle, double scope) {
  return guarded([&] {
    ownership().move_past_capped(id_from(handle), id_from(scope));
    return 0;
  });
}
TENURE_CALL int tn_attach(double handle, double scope) {
  return guarded([&] {
    ownership().attach(id_from(handle), id_from(scope));
    return 0;
  });
}
/// Creates a handle of the scope on the tensor's bytes. Returns its id.
TENURE_CALL double tn_borrow(double handle, double scope) {
  return guarded([&] { return static_cast<double>(ownership().borrow(id_from(handle), id_from(scope))); });
}
TENURE_CALL int tn_cap_scope(double scope) {
  return guarded([&] {
    ownership().cap(id_from(scope));
    return 0;
  });
}
/// Returns 1 if the scope or one inside it owns the tensor, else 0.
TENURE_CALL int tn_owns(double scope, double handle) {
  return ownership().owns(id_from(scope), id_from(handle));
}
TENURE_CALL void tn_close_scope(double scope) {
  unguarded([&] { ownership().close_scope(id_from(scope)); });
}
/// Closes a scope like tn_close_scope(), except that its children that last move to its parent.
TENURE_CALL void tn_end_scope(double scope) {
  unguarded([&] { ownership().end_scope(id_from(scope)); });
}
TENURE_CALL double tn_current_scope() { return static_cast<double>(ownership().current_scope()); }
TENURE_CALL int tn_scope_is_open(double scope) { return ownership().is_open(id_from(scope)); }
/// Returns the number of tensors that the scope and those inside own. Their bytes are in the scratch.
TENURE_CALL int tn_scope_totals(double scope) {
  const Totals totals = ownership().totals(id_from(scope));
  scratch[0] = static_cast<std::int32_t>(totals.bytes);
  return static_cast<int>(totals.tensors);
}
/// Returns a dump of the scope and those inside as text, valid until the next error or dump.
TENURE_CALL const char* tn_dump_scope(double scope) {
  last_error().message = ownership().dump(id_from(scope));
  return last_error().message.c_str();
}
/// Describes in the scratch the tensors that the scope and those inside own and did not borrow, or for 0 all
/// tensors, from slot `first` on. Returns their number. The first word of the scratch is the slot to continue
/// from, 0 at the end.
TENURE_CALL int tn_list(double scope, std::uint32_t first) {
  std::int32_t* at = scratch + 1;
  int count = 0;
  const std::uint32_t next =
      ownership().scan(id_from(scope), first, [&](Handle handle, const Tensor& tensor) {
        if (at + kIdWords + 2 + tensor.rank() > scratch + kScratchWords) return false;
        at = write_tensor(at, handle, tensor);
        ++count;
        return true;
      });
  scratch[0] = static_cast<std::int32_t>(next);
  return count;
}

/// Starts to log created tensors, or stops it.
TENURE_CALL void tn_watch_births(int on) { ownership().log_creations(on != 0); }
/// Returns the id of a logged tensor that is alive, and removes it from the log; 0 if there is none left.
TENURE_CALL double tn_take_birth() { return static_cast<double>(ownership().pop_created()); }

}  // namespace tenure::wasm
