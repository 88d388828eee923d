#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "core/error.h"
#include "core/op.h"
#include "owner/handle_table.h"

namespace tenure::wasm {

/// Words at a fixed address through which ids, shapes and attributes cross: JavaScript writes a call's inputs
/// there, and finds the results in their place.
constexpr int kScratchWords = 1 << 18;
/// The word behind them is 1 while a call is at work, and stays so when one is cut short: when JavaScript's
/// stack ends inside it, or a time limit.
extern std::int32_t scratch[kScratchWords + 1];
/// True where a call was cut and its state not recovered yet. To be asked where no call is at work.
inline bool was_cut() { return scratch[kScratchWords] != 0; }
/// Puts right what a call that was cut left behind, but for the stack pointer and callbacks.
void recover_state();

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
/// Sets it, without its words where there is no memory for them.
void set_last_error(ErrorCode code, const char* message) noexcept;

/// Makes the exception that is being handled the last error; one that is no std::exception goes on.
void keep_error();

/// Runs `body`, which throws nothing, so that a cut in the middle is noticed. A cut before it stays noticed.
template <class F>
auto unguarded(F body) -> decltype(body()) {
  std::int32_t& at_work = scratch[kScratchWords];
  const std::int32_t before = std::exchange(at_work, 1);
  if constexpr (std::is_void_v<decltype(body())>) {
    body();
    at_work = before;
  } else {
    const auto result = body();
    at_work = before;
    return result;
  }
}

/// Runs `body`; an exception never leaves: it becomes last_error() and -1.
template <class F>
auto guarded(F body) -> decltype(body()) {
  std::int32_t& at_work = scratch[kScratchWords];
  const std::int32_t before = std::exchange(at_work, 1);
  try {
    const auto result = body();
    at_work = before;
    return result;
  } catch (...) {
    keep_error();
    at_work = before;
    return -1;
  }
}

}  // namespace tenure::wasm
