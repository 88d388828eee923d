// The raw calls of threads. Each worker has its own instance of the module on the shared memory, with its own
// stack.

#include <emscripten/em_js.h>

#include <cstddef>

#include "cpu/threads/parallel.h"
#include "wasm/call.h"

namespace tenure::wasm {
namespace {

constexpr std::size_t kStackSize = std::size_t{1} << 16;
alignas(16) std::byte stacks[threads::kMaxThreads - 1][kStackSize];

// clang-format off
EM_JS(void, notify_large_ops, (), { Module["onLargeOps"](); })
EM_JS(void, look_after_workers, (bool is_overdue), { Module["reapWorkers"](is_overdue); })
// clang-format on

}  // namespace

/// Makes loops that are large enough for workers, and have none, call the module's onLargeOps() once, after
/// they took `milliseconds` in total.
TENURE_CALL void tn_notify_large_ops(double milliseconds) {
  threads::workers::on_demand(notify_large_ops, milliseconds);
}
/// Makes the engine call the module's reapWorkers() when workers are missing; see workers::on_absence().
TENURE_CALL void tn_look_after_workers() { threads::workers::on_absence(look_after_workers); }

/// Returns the initial stack pointer of a worker, numbered from 0, which is the upper end of its stack; 0 if
/// there are too many workers.
TENURE_CALL int tn_worker_stack(int worker) {
  if (worker >= threads::kMaxThreads - 1) return 0;
  return static_cast<int>(reinterpret_cast<std::intptr_t>(stacks[worker + 1]));
}

/// Runs a worker's loop. Called in the worker; returns when the worker should process its messages.
TENURE_CALL void tn_run_worker(int generation, int worker) {
  threads::workers::run(static_cast<std::uint32_t>(generation), worker);
}
/// Reports a failed worker. Called in a worker whose tn_run_worker() threw, and for a worker whose thread has
/// ended.
TENURE_CALL void tn_fail_worker(int worker) { threads::workers::fail(worker); }
TENURE_CALL int tn_worker_generation() { return static_cast<int>(threads::workers::generation()); }
TENURE_CALL int tn_workers_ready() { return threads::workers::ready(); }
/// Returns 1 if a worker, numbered from 0, has entered tn_run_worker() and not reported leaving it, else 0.
TENURE_CALL int tn_worker_is_at_work(int worker) { return threads::workers::is_at_work(worker); }
/// Returns 1 if a worker, numbered from 0, takes ranges in the current generation, else 0.
TENURE_CALL int tn_worker_takes_part(int worker) { return threads::workers::takes_part(worker); }
/// Makes workers return to process their messages, without waiting for them.
TENURE_CALL void tn_release_workers() { threads::workers::release(); }
/// Makes workers return to process their messages, and waits until they have. Returns 0 if some never do,
/// else 1.
TENURE_CALL int tn_stop_workers() { return threads::workers::stop(); }

}  // namespace tenure::wasm
