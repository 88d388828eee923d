// The raw calls of threads. A worker has an instance of its own around the same memory, and runs there on a
// stack of its own.

#include <emscripten/em_js.h>

#include <cstddef>

#include "cpu/parallel.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

constexpr std::size_t kStackSize = std::size_t{1} << 16;
alignas(16) std::byte stacks[cpu::kMaxThreads - 1][kStackSize];

// clang-format off
EM_JS(void, summon_workers, (), { Module["summonWorkers"](); })
// clang-format on

}  // namespace

/// Loops that are large enough call the module's summonWorkers(), once they took so many milliseconds
/// together.
TENURE_CALL void tn_summon_on_demand(double patience) { cpu::workers::on_demand(summon_workers, patience); }

/// Where the stack of a worker, numbered from 0 on, begins, which is its upper end; 0 for one too many.
TENURE_CALL int tn_worker_stack(int worker) {
  if (worker >= cpu::kMaxThreads - 1) return 0;
  return static_cast<int>(reinterpret_cast<std::intptr_t>(stacks[worker + 1]));
}

/// Called in workers; returns when they are to look for messages.
TENURE_CALL void tn_run_worker(int epoch, int worker) {
  cpu::workers::run(static_cast<std::uint32_t>(epoch), worker);
}
/// Called in a worker whose tn_run_worker() threw.
TENURE_CALL void tn_fail_worker(int worker) { cpu::workers::fail(worker); }
TENURE_CALL int tn_worker_epoch() { return static_cast<int>(cpu::workers::epoch()); }
TENURE_CALL int tn_workers_ready() { return cpu::workers::ready(); }
TENURE_CALL void tn_stop_workers() { cpu::workers::stop(); }

}  // namespace tenure::wasm
