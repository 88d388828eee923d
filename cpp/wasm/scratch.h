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

/// Number of scratch words: memory at a fixed address that passes ids, shapes and attributes. JavaScript
/// writes a call's inputs there, and the results replace them.
constexpr int kScratchWords = 1 << 18;
/// The scratch words. The word after them is the CallState.
extern std::int32_t scratch[kScratchWords + 1];
enum CallState : std::int32_t {
  kReturned = 0,
  kAtWork = 1,    ///< or interrupted: by a stack overflow of JavaScript or a time limit
  kRepaired = 2,  ///< an interrupted call is repaired, but for the stack pointer and callbacks
  kRefused = 3,   ///< a call was interrupted in a critical section: all calls are refused
};
/// True if a call was interrupted and its state is not recovered yet. Only valid while no call is running.
inline bool was_interrupted() { return scratch[kScratchWords] != kReturned; }
/// Repairs what an interrupted call left, but for the stack pointer and callbacks. Returns false if calls are
/// refused.
bool recover_state();
/// Repairs what an interrupted call left, before another call, or refuses all calls if it was interrupted in
/// a critical section. Returns the new state.
CallState repair_after_interruption() noexcept;
/// Closes the tape that an interrupted call used, and the tapes that it opened.
void repair_passes() noexcept;

/// Words of an id in the scratch, the low one first. As an argument of a call, an id is a number.
constexpr int kIdWords = 2;
/// Converts a number from JavaScript to an id; 0 if it is none.
inline Id id_from(double number) {
  // A cast would be undefined out of range, and would add two branches.
  return static_cast<Id>(__builtin_wasm_trunc_saturate_s_i64_f64(number));
}
inline Id read_id(const std::int32_t* at) {
  return static_cast<std::uint32_t>(at[0]) | Id{static_cast<std::uint32_t>(at[1])} << 32;
}

/// Throws if the scratch has no room for `count` ids from word `at` on.
void check_room(int count, int at = 0);
/// Returns the tensors whose ids are in the scratch from word `at` on. Throws if there is no room for them,
/// or for a disposed tensor.
Tensors tensors_in_scratch(int count, int at = 0);
/// Returns the tensors whose ids are in the scratch from word `at` on, an empty one for id 0. Throws if there
/// is no room for them, or for a disposed tensor.
Tensors optional_tensors_in_scratch(int count, int at = 0);
/// Returns `words` words of attributes in the scratch from word `at` on. Throws if there is no room for them.
AttrsView attrs_in_scratch(int at, int words);

/// Writes an id in two words at `at`. Returns the next address.
std::int32_t* write_id(std::int32_t* at, Id id);
/// Writes [id in two words, dtype, rank, extents ...] at `at`. Returns the next address.
std::int32_t* write_tensor(std::int32_t* at, Handle handle, const Tensor& tensor);

/// Adds a result to the current scope and describes it in the scratch. Returns 0.
int export_result(Tensor&& result);
/// Adds results to the current scope and describes them in sequence in the scratch. Returns their number.
int export_results(Tensors results);

/// The last error, which JavaScript reads after a call that returned -1.
struct LastError {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
};
LastError& last_error();
/// Returns the message of last_error(), or of a refused call.
const char* error_message();
/// Returns the code of last_error(), or of a refused call.
ErrorCode error_code();
/// Sets last_error(); with an empty message if there is no memory for it.
void set_last_error(ErrorCode code, const char* message) noexcept;

/// Stores the exception that is being handled in last_error(). Rethrows it if it is no std::exception.
void capture_exception();

/// Scope: marks a call as running, unless calls are refused. Repairs what an interrupted call left first.
class CallGuard {
 public:
  CallGuard() {
    std::int32_t& state = scratch[kScratchWords];
    // Embind deletes objects without a CallGuard, and may be interrupted in a critical section.
    if ((static_cast<std::uint32_t>(state) | interruption::open_sections) != 0) [[unlikely]]
      before_ = repair_after_interruption();
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

/// Runs `body`, which must not throw, under a CallGuard. Returns 0 without running it if calls are refused.
template <class F>
auto unguarded(F body) -> decltype(body()) {
  const CallGuard guard;
  if (guard.is_refused()) [[unlikely]]
    return decltype(body())();
  return body();
}

/// Runs `body` under a CallGuard. Returns -1 if calls are refused, or with last_error() set if it throws.
template <class F>
auto guarded(F body) -> decltype(body()) {
  const CallGuard guard;
  if (guard.is_refused()) [[unlikely]]
    return -1;
  try {
    return body();
  } catch (...) {
    capture_exception();
    return -1;
  }
}

}  // namespace tenure::wasm
