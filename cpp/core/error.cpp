#include "core/error.h"

namespace tenure {

void fail_with(ErrorCode code, const std::string& message) { throw Error(code, message); }

void fail_parts(ErrorCode code, const FormatArg* parts, std::size_t count) {
  throw Error(code, join(parts, count));
}

}  // namespace tenure
