#include "core/error.h"

namespace tenure {

void fail_with(ErrorCode code, const std::string& message) { throw Error(code, message); }

}  // namespace tenure
