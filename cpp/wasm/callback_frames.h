#pragma once

#include <cstdint>

#include "owner/scope_tree.h"

namespace tenure::wasm {

/// A call of the engine that waits for a JavaScript function, such as tidy() for its body. It is stored in
/// the C++ frame of that call, in a list from the innermost call outwards.
///
/// A time limit or a stack overflow can interrupt such a call: its C++ frame is then never unwound, and its
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
  /// True while JavaScript runs. A frame that was interrupted while C++ ran is dead.
  bool in_javascript = false;
};

/// Opens a scope for `frame` and pushes the frame onto the list. Throws if the engine's stack has too little
/// room for what JavaScript may call.
void enter_callback(CallbackFrame& frame);
/// Makes `frame` the innermost one again. All calls inside it have ended, even if the list has their frames.
void resume_callback(CallbackFrame& frame);
/// Closes the frame's scope and removes the frame from the list.
void leave_callback(CallbackFrame& frame);

/// Removes frames that were interrupted while C++ ran from the list, and closes their scopes.
void remove_interrupted_frames();

}  // namespace tenure::wasm
