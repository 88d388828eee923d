#pragma once

#include "core/run/fault_injection.h"

namespace tenure::test {

/// Calls `attempt` with each op or allocation failing in turn, until none fails. Returns the number of
/// failures.
template <class F>
int count_failures(void (*fail)(int), F attempt) {
  for (int after = 0;; ++after) {
    fail(after);
    const bool failed = attempt();
    fail(-1);
    if (!failed) return after;
  }
}

}  // namespace tenure::test
