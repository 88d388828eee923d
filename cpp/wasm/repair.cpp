// Repair of the state that an interrupted raw call leaves; see core/interruption.h.

#include <emscripten/em_js.h>

#include "core/memory/memory_tracked.h"
#include "core/memory/storage.h"
#include "core/memory/system_memory.h"
#include "core/run/dispatch.h"
#include "core/run/lazy.h"
#include "cpu/threads/parallel.h"
#include "owner/ownership.h"
#include "wasm/call.h"
#include "wasm/callback_frames.h"

namespace tenure::wasm {
namespace {

// A literal, as an error for lost memory must not allocate.
constexpr const char* kRefusal =
    "a time limit or a stack overflow interrupted a call while the engine changed its internal state: all "
    "further calls fail; use a new process, worker or page";

// clang-format off
EM_JS(void, update_views, (), { updateMemoryViews(); })
// clang-format on

bool is_refused() { return scratch[kScratchWords] == kRefused; }

}  // namespace

const char* error_message() { return is_refused() ? kRefusal : last_error().message.c_str(); }
ErrorCode error_code() { return is_refused() ? ErrorCode::kInterrupted : last_error().code; }

CallState repair_after_interruption() noexcept {
  std::int32_t& state = scratch[kScratchWords];
  if (state == kRefused || interruption::open_sections != 0 || !is_system_memory_whole()) {
    state = kRefused;
    return kRefused;
  }
  if (state == kAtWork) {
    threads::workers::recover();
    repair_dispatch();
    repair_scoped_materialization();
    repair_passes();
    repair_tracked_memory();
    lazy::repair();
    ownership().rebuild();
    state = kRepaired;
  }
  return static_cast<CallState>(state);
}

bool recover_state() {
  // Memory may have grown without an update of the views.
  update_views();
  if (repair_after_interruption() == kRefused) return false;
  scratch[kScratchWords] = kReturned;
  return true;
}

/// Repairs what an interrupted call left. Returns 0 if all calls are refused from then on, else 1. The stack
/// pointer must be set to tn_stack_base() afterwards, and not before: what is repaired is on the stack.
TENURE_CALL int tn_recover() {
  if (!recover_state()) return 0;
  // If a stack overflow of JavaScript interrupts what follows, the next call repairs again.
  scratch[kScratchWords] = kAtWork;
  ++interruption::call;
  remove_interrupted_frames();
  scratch[kScratchWords] = kReturned;
  return 1;
}

}  // namespace tenure::wasm
