#pragma once

#include <cstdint>

#include "owner/scope_tree.h"

namespace tenure::wasm {

/// A call of the engine that waits for a JavaScript function, such as tidy() for its body. It lies in the
/// C++ frame of that call, in a list from the innermost call outwards.
///
/// A time limit or the end of the stack can cut such a call: its C++ frame is then never unwound, and its
/// CallbackFrame stays in the list. The list stays valid because the stack pointer never returns above the
/// innermost frame in it; see tn_stack_base().
struct CallbackFrame {
  /// The scope that the call closes when it ends.
  ScopeId scope = 0;
  /// The scope that was current before.
  ScopeId previous = 0;
  /// The engine's stack pointer while JavaScript runs.
  std::uintptr_t stack = 0;
  CallbackFrame* outer = nullptr;
  /// True while JavaScript runs. A frame that was cut while C++ ran is known to be dead.
  bool in_javascript = false;
};

/// Opens a scope for `frame` and puts the frame into the list. Throws where the engine's stack has no room
/// for what JavaScript may call.
void enter_callback(CallbackFrame& frame);
/// Makes `frame` the innermost one again. What was called inside it has ended, whatever the list says.
void resume_callback(CallbackFrame& frame);
/// Closes the frame's scope and takes the frame out of the list.
void leave_callback(CallbackFrame& frame);

/// Takes the frames that were cut while C++ ran out of the list, and closes their scopes.
void drop_dead_callbacks();

}  // namespace tenure::wasm
