#include "core/error.h"

namespace tenure {

void fail_with(ErrorCode code, const std::string& message) { throw Error(code, message); }

void rethrow_with_op(const Error& error, std::string_view op) {
  if (op.empty() || *error.what() == '[') throw error;
  fail_with(error.code(), text("[", op, "] ", error.what()));
}

void fail_parts(ErrorCode code, const FormatArg* parts, std::size_t count) {
  throw Error(code, join(parts, count));
}

}  // namespace tenure
