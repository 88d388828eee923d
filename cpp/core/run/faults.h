#pragma once

namespace tenure::faults {

/// For tests, in debug builds: lets an op or an allocation fail once, after so many others; nothing for -1.
#ifdef TENURE_DEBUG
void fail_op(int after);
void fail_allocation(int after);
/// Where an op runs, eagerly or in a plan; throws when its turn to fail has come.
void op();
/// Where memory is allocated; likewise.
void allocation();
#else
inline void op() {}
inline void allocation() {}
#endif

}  // namespace tenure::faults
