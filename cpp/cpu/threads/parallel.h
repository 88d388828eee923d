#pragma once

#include <cstddef>
#include <cstdint>

/// Parallel loops. One thread, the engine's, calls kernels; workers only take ranges of its loops, and never
/// allocate or throw.
namespace tenure::threads {

constexpr int kMaxThreads = 16;

/// Returns the number of threads that a loop can have now, this one included: 1 until workers are ready, and
/// inside a loop.
int thread_count();

/// Returns the maximum number of threads of a loop over `count`, which is how many scratch areas its body
/// needs.
inline int threads_for(std::size_t count, std::size_t grain) { return count <= grain ? 1 : thread_count(); }

namespace parallel {

using Range = void (*)(const void* body, std::size_t begin, std::size_t end, int slot);

/// Runs a loop of more than one grain, for parallel_for().
void share(std::size_t count, std::size_t grain, int slots, Range range, const void* body);

}  // namespace parallel

/// Calls body(begin, end, slot) for ranges that together are [0, count), concurrently on several threads if
/// `count` exceeds `grain`, the least that is worth a thread. `slot` in [0, slots) is unique among concurrent
/// calls; use it to index per-thread scratch. Inside another loop, the whole is one range.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, int slots, const Body& body) {
  if (count <= grain) {
    if (count > 0) body(std::size_t{0}, count, 0);
    return;
  }
  const auto range = [](const void* what, std::size_t begin, std::size_t end, int slot) {
    (*static_cast<const Body*>(what))(begin, end, slot);
  };
  parallel::share(count, grain, slots, range, &body);
}

/// Calls body(begin, end) for ranges that together are [0, count), concurrently on several threads if `count`
/// exceeds `grain`. For bodies that write to their range only.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
  parallel_for(count, grain, kMaxThreads,
               [&](std::size_t begin, std::size_t end, int /*slot*/) { body(begin, end); });
}

/// Returns how many items of `work` units each are worth a thread. A unit takes a thread about 0.1 ns: a
/// multiplication and an addition of a product.
constexpr std::size_t grain_size(std::size_t work) {
  constexpr std::size_t kMinWork = 300'000;
  return work < kMinWork ? kMinWork / (work > 0 ? work : 1) : 1;
}

/// Lifecycle of worker threads: wasm/ gets them from JavaScript, native builds from the system.
namespace workers {

/// Takes ranges as worker number `worker`, from 0 on, until stop() is called. Returns at once if stop() was
/// called since generation() returned `generation`.
void run(std::uint32_t generation, int worker);
/// Reports that run() was cut short, by a trap or the end of the worker's thread: the loop that the worker
/// was in throws, and ready() no longer counts the worker.
void fail(int worker);
/// True if a worker is in run(), or its thread ended there.
bool is_at_work(int worker);
/// True if a worker is in run(), called with the present generation().
bool takes_part(int worker);
/// Returns the number of the present generation of workers, which release() and stop() end.
std::uint32_t generation();
/// Returns the number of workers that take ranges.
int ready();
/// Makes all workers return from run().
void release();
/// Makes all workers return from run(), and waits until they have. Returns false if some do not.
bool stop();
/// Sets the function that is called when workers keep this thread waiting for long, or do not take part any
/// more. It must call fail() for workers whose threads have ended, and for all if `is_overdue`, after ending
/// their threads. With null, this thread waits forever.
void on_absence(void (*look)(bool is_overdue));
/// Sets the function that is called once loops that are large enough for workers, and have none, took
/// `start_threshold_ms` milliseconds together; null for none.
void on_demand(void (*start_workers)(), double start_threshold_ms);
/// Abandons a loop that this thread was taken out of, for example by a time limit.
void recover();
/// Sets the number of threads that loops have, 1 to kMaxThreads. Native builds only.
void set_thread_count(int count);

}  // namespace workers

}  // namespace tenure::threads

// The names that kernels use.
namespace tenure::cpu {
using threads::grain_size;
using threads::kMaxThreads;
using threads::parallel_for;
using threads::thread_count;
using threads::threads_for;
}  // namespace tenure::cpu
