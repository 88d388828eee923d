#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "core/text.h"

namespace tenure {

/// Kind of an Error. The numbers cross the JavaScript boundary, which throws a named class for each.
enum class ErrorCode : int {
  kInvalid = 1,
  kDisposed = 2,
  kOutOfMemory = 3,
  kShape = 4,
  kContextLost = 5,
  kInternal = 6,
  kInterrupted = 7  ///< all calls are refused, since an earlier one was interrupted beyond repair
};

/// The one exception type of the engine.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

/// Throws Error(code, message).
[[noreturn]] void fail_with(ErrorCode code, const std::string& message);

/// Throws `error` with "[op] " before its message; as it is if `op` is empty, or if the message names an op
/// already.
[[noreturn, gnu::cold]] void rethrow_with_op(const Error& error, std::string_view op);

/// Throws Error(code) with the parts joined. A call site that does not fail only stores the parts.
[[noreturn, gnu::cold]] void fail_parts(ErrorCode code, const FormatArg* parts, std::size_t count);

/// Throws Error(kInvalid) with the parts joined.
template <class... FormatArgs>
[[noreturn, gnu::always_inline]] inline void fail(const FormatArgs&... parts) {
  const FormatArg list[] = {FormatArg(parts)...};
  fail_parts(ErrorCode::kInvalid, list, sizeof...(parts));
}

/// Throws Error(kShape) with the parts joined.
template <class... FormatArgs>
[[noreturn, gnu::always_inline]] inline void fail_shape(const FormatArgs&... parts) {
  const FormatArg list[] = {FormatArg(parts)...};
  fail_parts(ErrorCode::kShape, list, sizeof...(parts));
}

/// Throws Error(kInvalid) unless `condition` holds. The parts are evaluated either way, but joined only on
/// failure.
template <class... FormatArgs>
[[gnu::always_inline]] inline void check(bool condition, const FormatArgs&... parts) {
  if (!condition) [[unlikely]]
    fail(parts...);
}

/// Throws Error(kShape) unless `condition` holds.
template <class... FormatArgs>
[[gnu::always_inline]] inline void check_shape(bool condition, const FormatArgs&... parts) {
  if (!condition) [[unlikely]]
    fail_shape(parts...);
}

}  // namespace tenure
