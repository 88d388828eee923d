#include "wasm/callback_frames.h"

#include <emscripten/stack.h>

#include "owner/ownership.h"
#include "wasm/call.h"

/// Ends of the engine's stack, defined by the linker.
extern "C" char __stack_low;   // NOLINT(bugprone-reserved-identifier)
extern "C" char __stack_high;  // NOLINT(bugprone-reserved-identifier)

namespace tenure::wasm {
namespace {

/// Minimum bytes of stack left for what a callback calls. The deepest op uses less than a quarter of it.
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
  // Before the scope is opened, so that remove_interrupted_frames() finds the frame if that is interrupted.
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
  // An interrupted call inside may have left a current scope that is not inside this one.
  if (frame.previous == 0 || ownership().is_open(frame.previous)) ownership().set_current(frame.previous);
  innermost = frame.outer;
}

void remove_interrupted_frames() {
  while (innermost && !innermost->in_javascript) {
    // A call that was interrupted before it stored its scope may have made that scope current.
    const ScopeId current = ownership().current_scope();
    if (innermost->scope == 0 && current != innermost->previous) innermost->scope = current;
    leave_callback(*innermost);
  }
}

/// Returns 1 if the previous call was interrupted, else 0. Only valid while no call is running.
TENURE_CALL int tn_was_cut() { return was_interrupted() ? 1 : 0; }

/// Returns the stack pointer to restore after an interrupted call, once tn_recover() has run: that of the
/// innermost callback that is still running, or the upper end of the stack.
TENURE_CALL double tn_stack_base() {
  const CallbackFrame* frame = innermost_alive();
  return static_cast<double>(frame ? frame->stack : reinterpret_cast<std::uintptr_t>(&__stack_high));
}

/// Marks the innermost callback as running JavaScript. Called by the import that runs it, once that can catch
/// what is thrown.
TENURE_CALL void tn_begin_callback() {
  innermost->in_javascript = true;
  scratch[kScratchWords] = 0;
}

/// Clears the list of callbacks, for when no JavaScript runs inside one. Returns the scope of the outermost,
/// which the caller closes, or 0 if the list was empty.
TENURE_CALL double tn_forget_callbacks() {
  ScopeId outermost = 0;
  for (; innermost; innermost = innermost->outer) outermost = innermost->scope;
  return static_cast<double>(outermost);
}

}  // namespace tenure::wasm
