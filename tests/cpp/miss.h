#pragma once

#include <cstdlib>

#include "catch.h"

namespace tenure {

/// Ends a test for want of something that a machine may lack: skipped, or failed in CI, which lacks nothing.
inline void miss(const char* what) {
  const char* ci = std::getenv("CI");
  if (ci && *ci) FAIL(what);
  SKIP(what);
}

}  // namespace tenure
