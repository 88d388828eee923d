// The raw calls of threads. A worker has an instance of its own around the same memory, and runs there on a
// stack of its own.

#include <emscripten/em_js.h>

#include <cstddef>

#include "cpu/threads/parallel.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

constexpr std::size_t kStackSize = std::size_t{1} << 16;
alignas(16) std::byte stacks[cpu::kMaxThreads - 1][kStackSize];

// clang-format off
EM_JS(void, summon_workers, (), { Module["summonWorkers"](); })
EM_JS(void, look_after_workers, (bool is_overdue), { Module["lookAfterWorkers"](is_overdue); })
// clang-format on

}  // namespace

/// Loops that are large enough call the module's summonWorkers(), once they took so many milliseconds
/// together.
TENURE_CALL void tn_summon_on_demand(double patience) { cpu::workers::on_demand(summon_workers, patience); }
/// From now on workers that are missed make it call the module's lookAfterWorkers(): see
/// workers::on_absence().
TENURE_CALL void tn_look_after_workers() { cpu::workers::on_absence(look_after_workers); }

/// Where the stack of a worker, numbered from 0 on, begins, which is its upper end; 0 for one too many.
TENURE_CALL int tn_worker_stack(int worker) {
  if (worker >= cpu::kMaxThreads - 1) return 0;
  return static_cast<int>(reinterpret_cast<std::intptr_t>(stacks[worker + 1]));
}

/// Called in workers; returns when they are to look for messages.
TENURE_CALL void tn_run_worker(int epoch, int worker) {
  cpu::workers::run(static_cast<std::uint32_t>(epoch), worker);
}
/// Called in a worker whose tn_run_worker() threw, and for one whose thread has ended.
TENURE_CALL void tn_fail_worker(int worker) { cpu::workers::fail(worker); }
TENURE_CALL int tn_worker_epoch() { return static_cast<int>(cpu::workers::epoch()); }
TENURE_CALL int tn_workers_ready() { return cpu::workers::ready(); }
/// Whether a worker, numbered from 0 on, is in tn_run_worker(), as far as it has said.
TENURE_CALL int tn_worker_is_at_work(int worker) { return cpu::workers::is_at_work(worker); }
/// Whether a worker, numbered from 0 on, takes ranges since it had the epoch of now.
TENURE_CALL int tn_worker_takes_part(int worker) { return cpu::workers::takes_part(worker); }
/// Lets workers look for messages; does not wait until they do.
TENURE_CALL void tn_release_workers() { cpu::workers::release(); }
/// Lets workers look for messages, and waits until they do; 0 where some never do.
TENURE_CALL int tn_stop_workers() { return cpu::workers::stop(); }

}  // namespace tenure::wasm
