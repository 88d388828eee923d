#pragma once

#include <cstddef>
#include <cstdint>

/// Sharing a kernel's loop among threads. One thread, the engine's, calls kernels; workers do nothing but
/// take ranges of its loops: they never allocate, and never throw.
namespace tenure::cpu {

constexpr int kMaxThreads = 16;

/// The threads that a loop can have now, this one among them: 1 until workers are ready, and inside a loop.
int thread_count();

/// The threads that a loop over `count` will have at most: what its body needs one of for each.
inline int threads_for(std::size_t count, std::size_t grain) { return count <= grain ? 1 : thread_count(); }

namespace parallel {

using Range = void (*)(const void* body, std::size_t begin, std::size_t end, int slot);

/// What parallel_for() does with more than one grain.
void share(std::size_t count, std::size_t grain, int slots, Range range, const void* body);

}  // namespace parallel

/// Calls body(begin, end, slot) for ranges that together are [0, count), at the same time on several threads
/// where count is above `grain`, the least that is worth a thread's while. No two of the calls that are at
/// work at one time have the same slot, all of which are below `slots`: what a body writes beside its range
/// it has one of for each. Inside another loop everything is one range.
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

/// The same for bodies that write to their range alone, as body(begin, end).
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
  parallel_for(count, grain, kMaxThreads,
               [&](std::size_t begin, std::size_t end, int /*slot*/) { body(begin, end); });
}

/// How many items of `work` each are worth a thread's while. A unit of work is what a thread does in some
/// tenth of a nanosecond: a multiplication and an addition of a product.
constexpr std::size_t grain_of(std::size_t work) {
  constexpr std::size_t kLeastWork = 300'000;
  return work < kLeastWork ? kLeastWork / (work > 0 ? work : 1) : 1;
}

/// Where workers come from, and how they end: wasm/ has them from JavaScript, native builds from the system.
namespace workers {

/// Takes ranges, as the worker of this number from 0 on, until stop() is called. Returns at once where that
/// was since epoch() gave this number.
void run(std::uint32_t epoch, int worker);
/// Called when run() was cut short, as by a trap or with the worker's thread: the loop that the worker was in
/// throws, and it counts no more among those that are ready.
void fail(int worker);
/// True if a worker is in run(), or its thread ended there.
bool is_at_work(int worker);
/// True if a worker is in run(), called with what epoch() gives now.
bool takes_part(int worker);
std::uint32_t epoch();
/// How many are taking ranges.
int ready();
/// Lets all of them return from run().
void release();
/// Lets all of them return from run(), and waits until they have; false where some never do.
bool stop();
/// Calls `look` where workers keep this thread waiting for long, or do not come any more: it is to call
/// fail() for those whose threads have ended, and for all where `is_overdue`, after ending their threads.
/// Null for nobody, who waits for ever.
void on_absence(void (*look)(bool is_overdue));
/// Called once loops that are large enough for workers, and have none, took so many milliseconds together;
/// null for nobody.
void on_demand(void (*summon)(), double patience);
/// Lets go of a loop that this thread was taken out of, as by a time limit.
void recover();
/// Native builds: from now on loops have this many threads, 1 to kMaxThreads.
void set_thread_count(int count);

}  // namespace workers

}  // namespace tenure::cpu
