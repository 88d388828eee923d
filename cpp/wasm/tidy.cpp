// tidy() and dispose() for programs that use the module without the package's TypeScript. tf.tidy() calls the
// same functions of Ownership by raw calls (wasm/calls/scope.cpp), so that no JavaScript frame is inside one
// of the engine's.

#include <emscripten/bind.h>

#include "owner/ownership.h"
#include "wasm/call.h"
#include "wasm/callback_frames.h"
#include "wasm/exports.h"

namespace tenure::wasm {
namespace {

/// Moves the tensors whose handles are in the scratch to the parent of `scope`. Throws for a disposed one,
/// before any is moved.
void move_results_to_parent(int count, ScopeId scope) {
  for (int i = 0; i < count; ++i) {
    const Handle handle = read_id(scratch + kIdWords * i);
    if (!ownership().alive(handle))
      fail_with(ErrorCode::kDisposed, text("[tidy] Tensor is disposed: the body returned ", handle,
                                           ", which is not a live handle"));
  }
  for (int i = 0; i < count; ++i) ownership().move_to_parent(read_id(scratch + kIdWords * i), scope);
}

/// Runs `body` in a new scope and returns what it returned. Tensors whose handles it returned survive; all
/// others that were created inside are freed. What it threw is thrown once the engine's frames have returned.
Result tidy(Body body) {
  CallbackFrame frame;
  exported([&] { enter_callback(frame); });
  if (frame.scope == 0) return returned_by_javascript<Result>();

  // A call is running until tn_begin_callback(): JavaScript's stack may have no room for the import.
  scratch[kScratchWords] = 1;
  const int count = export_call(body.release_ownership());
  frame.in_javascript = false;

  resume_callback(frame);
  if (was_interrupted()) recover_state();
  exported([&] { move_results_to_parent(count, frame.scope); });
  exported([&] { leave_callback(frame); });
  return returned_by_javascript<Result>();
}

bool dispose(double handle) {
  return unguarded([&] { return ownership().dispose(id_from(handle)); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(tidy) {
  emscripten::function("tidy(body)", &tidy);
  emscripten::function("dispose(handle)", &dispose);
}

}  // namespace tenure::wasm
