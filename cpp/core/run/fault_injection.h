#pragma once

namespace tenure::fault_injection {

/// Fault injection for tests, in debug builds: makes one op or one allocation fail, after `after` others. -1
/// disables it.
#ifdef TENURE_DEBUG
void fail_op(int after);
void fail_allocation(int after);
/// Called where an op runs, eagerly or in a plan. Throws Error(kInvalid) when its turn to fail has come.
void op();
/// Called where memory is allocated. Throws Error(kOutOfMemory) when its turn to fail has come.
void allocation();
#else
inline void op() {}
inline void allocation() {}
#endif

}  // namespace tenure::fault_injection
