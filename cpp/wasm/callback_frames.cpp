#include "wasm/callback_frames.h"

#include <emscripten/stack.h>

#include "owner/ownership.h"
#include "wasm/call.h"

/// The ends of the engine's stack, which the linker defines.
extern "C" char __stack_low;   // NOLINT(bugprone-reserved-identifier)
extern "C" char __stack_high;  // NOLINT(bugprone-reserved-identifier)

namespace tenure::wasm {
namespace {

/// Bytes of stack that must be left for what a callback calls; the deepest op takes less than a quarter.
constexpr std::uintptr_t kMinStackRoom = std::uintptr_t{1} << 18;

CallbackFrame* innermost = nullptr;

CallbackFrame* innermost_alive() {
  CallbackFrame* frame = innermost;
  while (frame && !frame->in_javascript) frame = frame->outer;
  return frame;
}

}  // namespace

void enter_callback(CallbackFrame& frame) {
  frame.stack = emscripten_stack_get_current();
  frame.previous = ownership().current_scope();
  frame.outer = innermost;
  // Before the scope is opened: where that is cut, drop_dead_callbacks() knows of it.
  innermost = &frame;
  try {
    check(frame.stack - reinterpret_cast<std::uintptr_t>(&__stack_low) > kMinStackRoom,
          "[tidy] calls of tidy() are nested too deep, or a time limit has ended too many of them in this "
          "turn");
    frame.scope = ownership().open_scope();
  } catch (const std::exception&) {
    innermost = frame.outer;
    throw;
  }
}

void resume_callback(CallbackFrame& frame) { innermost = &frame; }

void leave_callback(CallbackFrame& frame) {
  ownership().close_scope(frame.scope);
  // A call that was cut inside may have left a scope current that is not inside this one.
  if (frame.previous == 0 || ownership().is_open(frame.previous)) ownership().set_current(frame.previous);
  innermost = frame.outer;
}

void drop_dead_callbacks() {
  while (innermost && !innermost->in_javascript) {
    // One that was cut before it knew its scope may have made that current.
    const ScopeId current = ownership().current_scope();
    if (innermost->scope == 0 && current != innermost->previous) innermost->scope = current;
    leave_callback(*innermost);
  }
}

/// Not 0 where the call before was cut. To be asked where no call is at work.
TENURE_CALL int tn_was_cut() { return was_cut() ? 1 : 0; }

/// The stack pointer to restore after a call was cut, once tn_recover() has run: that of the innermost
/// callback that may still run, or the stack's upper end.
TENURE_CALL double tn_stack_base() {
  const CallbackFrame* frame = innermost_alive();
  return static_cast<double>(frame ? frame->stack : reinterpret_cast<std::uintptr_t>(&__stack_high));
}

/// Called by the import that runs a callback, once it can catch what is thrown.
TENURE_CALL void tn_begin_callback() {
  innermost->in_javascript = true;
  scratch[kScratchWords] = 0;
}

/// Empties the list of callbacks, for when no JavaScript runs inside one; gives the scope of the outermost,
/// to be closed, or 0 where the list was empty.
TENURE_CALL double tn_forget_callbacks() {
  ScopeId outermost = 0;
  for (; innermost; innermost = innermost->outer) outermost = innermost->scope;
  return static_cast<double>(outermost);
}

}  // namespace tenure::wasm
