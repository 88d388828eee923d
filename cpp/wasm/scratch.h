#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "core/error.h"
#include "core/interruption.h"
#include "core/run/op.h"
#include "owner/handle_table.h"

namespace tenure::wasm {

/// Words at a fixed address through which ids, shapes and attributes cross: JavaScript writes a call's inputs
/// there, and finds the results in their place.
constexpr int kScratchWords = 1 << 18;
/// The word behind them is the CallState.
extern std::int32_t scratch[kScratchWords + 1];
enum CallState : std::int32_t {
  kReturned = 0,
  kAtWork = 1,    ///< or cut short: where JavaScript's stack ended inside it, or by a time limit
  kRepaired = 2,  ///< what a cut call left is repaired, but for the stack pointer and callbacks
  kRefused = 3,   ///< a call was cut in a critical section: all calls are refused
};
/// True where a call was cut and its state not recovered yet. To be asked where no call is at work.
inline bool was_cut() { return scratch[kScratchWords] != kReturned; }
/// Repairs what a call that was cut left behind, but for the stack pointer and callbacks. Returns false where
/// calls are refused.
bool recover_state();
/// Repairs that before another call, or refuses all calls where the cut fell into a critical section. Returns
/// the state from then on.
CallState repair_after_cut() noexcept;
/// Closes the tapes that a cut call opened, and the one that it changed.
void repair_passes() noexcept;

/// An id crosses as a number in calls, and as two words in the scratch, the low one first.
constexpr int kIdWords = 2;
/// The id that a number from JavaScript stands for; 0 for one that is none.
inline Id id_from(double number) {
  // A cast would be undefined out of range, and two more branches.
  return static_cast<Id>(__builtin_wasm_trunc_saturate_s_i64_f64(number));
}
inline Id read_id(const std::int32_t* at) {
  return static_cast<std::uint32_t>(at[0]) | Id{static_cast<std::uint32_t>(at[1])} << 32;
}

/// Throws for more ids, from a word on, than there is room for.
void check_room(int count, int at = 0);
/// The tensors whose ids are in the scratch from a word on. Throws as check_room() does, and for a dead one.
Tensors tensors_in_scratch(int count, int at = 0);
/// Likewise, where an id of 0 stands for none.
Tensors optional_tensors_in_scratch(int count, int at = 0);
/// So many words of attributes, from a word on. Throws where there is no room for them.
AttrsView attrs_in_scratch(int at, int words);

/// Writes an id in two words at `at`; gives the word behind.
std::int32_t* write_id(std::int32_t* at, Id id);
/// Writes [id in two words, dtype, rank, extents ...] at `at`; gives the word behind.
std::int32_t* write_tensor(std::int32_t* at, Handle handle, const Tensor& tensor);

/// Gives a result to the current scope and describes it in the scratch; gives 0.
int hand_out(Tensor&& result);
/// Gives results to the current scope and describes them in the scratch, one behind the other; gives their
/// number.
int hand_out_all(Tensors results);

/// The last error, which JavaScript fetches after a call that gave -1.
struct LastError {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
};
LastError& last_error();
/// Returns the message of last_error(), or of the error that a refused call gives.
const char* error_message();
ErrorCode error_code();
/// Sets it, without its words where there is no memory for them.
void set_last_error(ErrorCode code, const char* message) noexcept;

/// Makes the exception that is being handled the last error; one that is no std::exception goes on.
void keep_error();

/// Until the end of the block, a call is at work, unless calls are refused.
class CallGuard {
 public:
  CallGuard() {
    std::int32_t& state = scratch[kScratchWords];
    // Embind deletes objects without a CallGuard, and may be cut in that.
    if ((static_cast<std::uint32_t>(state) | interruption::open_sections) != 0) [[unlikely]]
      before_ = repair_after_cut();
    state = kAtWork;
    ++interruption::call;
  }
  ~CallGuard() { scratch[kScratchWords] = before_; }
  CallGuard(const CallGuard&) = delete;
  CallGuard& operator=(const CallGuard&) = delete;
  bool is_refused() const { return before_ == kRefused; }

 private:
  CallState before_ = kReturned;
};

/// Runs `body`, which throws nothing, so that a cut in the middle is noticed. Does nothing, and returns 0,
/// where calls are refused.
template <class F>
auto unguarded(F body) -> decltype(body()) {
  const CallGuard guard;
  if (guard.is_refused()) [[unlikely]]
    return decltype(body())();
  return body();
}

/// Runs `body`; an exception never leaves: it becomes last_error() and -1.
template <class F>
auto guarded(F body) -> decltype(body()) {
  const CallGuard guard;
  if (guard.is_refused()) [[unlikely]]
    return -1;
  try {
    return body();
  } catch (...) {
    keep_error();
    return -1;
  }
}

}  // namespace tenure::wasm
