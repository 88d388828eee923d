#include "core/run/fault_injection.h"

#ifdef TENURE_DEBUG

#include "core/error.h"

namespace tenure::fault_injection {
namespace {

int ops_to_go = -1;
int allocations_to_go = -1;

bool is_due(int& to_go) {
  if (to_go < 0) return false;
  return to_go-- == 0;
}

}  // namespace

void fail_op(int after) { ops_to_go = after; }
void fail_allocation(int after) { allocations_to_go = after; }

void op() {
  if (is_due(ops_to_go)) fail("injected failure");
}

void allocation() {
  if (is_due(allocations_to_go)) {
    fail_with(ErrorCode::kOutOfMemory, "out of memory: injected failure");
  }
}

}  // namespace tenure::fault_injection

#endif
