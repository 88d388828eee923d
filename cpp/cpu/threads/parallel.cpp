#include "cpu/threads/parallel.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/clock.h"
#include "core/error.h"
#include "cpu/threads/sharing_history.h"

namespace tenure::threads {
namespace {

/// The loop that is being shared. Written while no worker is inside, read by those that entered.
struct SharedLoop {
  parallel::Range range = nullptr;
  const void* body = nullptr;
  std::size_t count = 0;
  std::size_t ranges = 0;
  int slots = 0;

  /// Returns where range `at` begins. Lengths of ranges differ by one at most.
  std::size_t range_begin(std::size_t at) const {
    return static_cast<std::size_t>(std::uint64_t{at} * count / ranges);
  }
};

/// Fields of `gate`: whether workers may enter, how many did, and how many are inside.
constexpr std::uint32_t kOpen = 1U << 31;
constexpr std::uint32_t kEntered = 1U << 16;
constexpr std::uint32_t kInside = kEntered - 1;

/// State of a worker, which fail() undoes if its thread ends in the middle. Written by the worker, and by
/// fail().
struct WorkerState {
  std::atomic<bool> works{false};
  std::atomic<bool> is_inside{false};
  std::atomic<bool> sleeps{false};
  std::atomic<std::uint32_t> generation{0};  ///< generation in which it works
};

/// Ranges per thread: some ranges take less time than others, and some threads are faster.
constexpr std::size_t kRangesEach = 4;
/// Spin iterations before a worker sleeps, or a waiting thread reads the clock: some 50 microseconds, as long
/// as waking a worker takes.
constexpr int kSpinIterations = 20'000;
/// Interval at which a thread that waits for workers checks whether they are alive.
constexpr double kCheckIntervalMs = 20;
/// Maximum time counted between two readings of the clock: the machine may have slept in between.
constexpr double kMaxTickMs = 50;
/// A live worker is done at most kOverdueMs after the engine's thread, plus kOverdueTimes what that thread
/// took.
constexpr double kOverdueMs = 5'000;
constexpr double kOverdueTimes = 20;
/// A live worker has left run() at most this long after stop() was called.
constexpr double kLeaveMs = 2'000;
/// Loops in a row with a missing worker after which workers are checked; doubled with each check.
constexpr std::uint32_t kFirstMissedLoops = 1'000;

/// Time that a grain of work, by grain_size(), takes one thread.
constexpr double kGrainUs = 30;
/// Workers that sleep are woken for a loop that takes one thread at least this long: they come after some 50
/// microseconds, and what they read and write lies in the cache of another core.
constexpr double kWakeUs = 200;
/// Workers that sleep are also woken for any loop that follows another this soon: then many follow, and
/// workers stay awake between them.
constexpr double kBurstUs = 20;

SharedLoop loop;
bool is_shared = false;
/// End of the last loop, in microseconds.
double last_end = 0;
SharingHistory history;
void (*start_workers)() = nullptr;
void (*on_missing_workers)(bool) = nullptr;
std::uint32_t missed_loops = 0;
std::uint32_t max_missed_loops = kFirstMissedLoops;
// Milliseconds for which loops still run without workers before they are requested.
double start_threshold_ms = 0;

// Each on a separate cache line, because all threads write them.
alignas(64) std::atomic<std::uint32_t> gate{0};
alignas(64) std::atomic<std::size_t> next{0};
alignas(64) std::atomic<std::uint32_t> loops{0};
alignas(64) std::atomic<std::uint32_t> sleeping{0};
alignas(64) std::atomic<std::uint32_t> working{0};
std::atomic<std::uint32_t> now{0};
std::atomic<bool> has_failed{false};
WorkerState worker_states[kMaxThreads - 1];

#ifdef __wasm__
void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t value) {
  __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&word), static_cast<int>(value), -1);
}
void wake(std::atomic<std::uint32_t>& word) {
  __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&word), kMaxThreads);
}
#else
void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t value) { word.wait(value); }
void wake(std::atomic<std::uint32_t>& word) { word.notify_all(); }
#endif

/// Returns the number of ranges: the same for each thread, if there is work for as many.
std::size_t range_count(std::size_t count, std::size_t grain, std::size_t threads) {
  const std::size_t most = (count - 1) / grain + 1;
  return most < threads ? most : threads * std::min(most / threads, kRangesEach);
}

void wake_workers() {
  ++loops;
  if (sleeping > 0) wake(loops);
}

void take_ranges(int slot) {
  for (;;) {
    const std::size_t at = next.fetch_add(1, std::memory_order_relaxed);
    if (at >= loop.ranges) return;
    loop.range(loop.body, loop.range_begin(at), loop.range_begin(at + 1), slot);
  }
}

void leave(WorkerState& self) {
  self.is_inside.store(false, std::memory_order_relaxed);
  gate.fetch_sub(1, std::memory_order_release);
}

void join_loop(std::uint32_t generation, WorkerState& self) {
  std::uint32_t seen = gate.load(std::memory_order_relaxed);
  do {
    if ((seen & kOpen) == 0) return;
  } while (!gate.compare_exchange_weak(seen, seen + kEntered + 1, std::memory_order_acq_rel));
  self.is_inside.store(true, std::memory_order_relaxed);
  const int slot = static_cast<int>((seen & ~kOpen) / kEntered) + 1;
  if (slot < loop.slots && now == generation) take_ranges(slot);
  leave(self);
}

void retire(WorkerState& self) {
  self.works.store(false, std::memory_order_relaxed);
  --working;
}

/// Spins until `is_done()`: the main thread of a page may not sleep, and the workers are computing already.
/// If that takes long, checks for workers that have ended. Returns false if it is not done after `limit_ms`.
template <class F>
bool spin_until(F is_done, double limit_ms) {
  const auto spin = [&] {
    for (int i = 0; i < kSpinIterations; ++i) {
      if (is_done()) return true;
    }
    return false;
  };
  double waited = 0;
  double next_ask = kCheckIntervalMs;
  for (double last = 0; !spin();) {
    const double now_ms = microseconds() / 1e3;
    if (last > 0) waited += std::min(now_ms - last, kMaxTickMs);
    last = now_ms;
    if (!on_missing_workers || waited < next_ask) continue;
    const bool is_overdue = waited >= limit_ms;
    on_missing_workers(is_overdue);
    if (is_overdue) return is_done();
    next_ask = waited + kCheckIntervalMs;
  }
  return true;
}

/// Ends the shared loop once no worker is inside. `own_ms` is what this thread took for its ranges.
void close(double own_ms) {
  gate.fetch_and(~kOpen, std::memory_order_acq_rel);
  const auto is_left = [] { return (gate.load(std::memory_order_acquire) & kInside) == 0; };
  if (!spin_until(is_left, kOverdueMs + kOverdueTimes * own_ms)) gate.store(0, std::memory_order_relaxed);
  is_shared = false;
}

/// Has the workers checked after many loops in a row in which one was missing: it may have ended. On a busy
/// machine it is only late, and checking costs little.
void check_attendance(std::size_t threads) {
  const std::size_t came = gate.load(std::memory_order_relaxed) / kEntered;
  missed_loops = came + 1 < threads ? missed_loops + 1 : 0;
  if (missed_loops < max_missed_loops || !on_missing_workers) return;
  missed_loops = 0;
  max_missed_loops *= 2;
  on_missing_workers(false);
}

/// True if workers are awake, or if a loop of this much work is worth waking them.
bool is_worth_waking(std::size_t count, std::size_t grain, double now_us) {
  if (sleeping.load(std::memory_order_relaxed) < working.load(std::memory_order_relaxed)) return true;
  const double work = static_cast<double>(count) / static_cast<double>(grain) * kGrainUs;
  return work >= kWakeUs || now_us - last_end < kBurstUs;
}

/// Runs a loop on this thread, and requests workers once such loops took long enough.
void run_unshared(std::size_t count, parallel::Range range, const void* body) {
  const double start = microseconds();
  range(body, 0, count, 0);
  start_threshold_ms -= (microseconds() - start) / 1e3;
  if (start_threshold_ms <= 0 && start_workers) std::exchange(start_workers, nullptr)();
}

}  // namespace

int thread_count() { return is_shared ? 1 : std::min(workers::ready() + 1, kMaxThreads); }

void parallel::share(std::size_t count, std::size_t grain, int slots, Range range, const void* body) {
  const auto threads = static_cast<std::size_t>(std::min(thread_count(), slots));
  if (threads <= 1) {
    return is_shared || !start_workers ? range(body, 0, count, 0) : run_unshared(count, range, body);
  }
  const double start = microseconds();
  const bool can_wake = is_worth_waking(count, grain, start);
  SharingHistory::Entry& entry = history.find({reinterpret_cast<std::uintptr_t>(range), count, grain});
  if (!can_wake || !entry.should_share()) {
    // Nested loops run as one range, too.
    is_shared = true;
    range(body, 0, count, 0);
    is_shared = false;
    last_end = microseconds();
    if (can_wake) entry.record(false, last_end - start);
    return;
  }
  loop = {range, body, count, range_count(count, grain, threads), slots};
  is_shared = true;
  next.store(0, std::memory_order_relaxed);
  gate.store(kOpen, std::memory_order_release);
  wake_workers();
  take_ranges(0);
  close((microseconds() - start) / 1e3);
  last_end = microseconds();
  entry.record(true, last_end - start);
  check_attendance(threads);
  check(!has_failed.exchange(false), "a thread of the engine failed, and what it computed is lost");
}

namespace workers {

void run(std::uint32_t generation, int worker) {
  if (now != generation) return;
  WorkerState& self = worker_states[worker];
  self.generation.store(generation, std::memory_order_relaxed);
  self.works.store(true, std::memory_order_relaxed);
  ++working;
  for (std::uint32_t seen = loops; now == generation;) {
    join_loop(generation, self);
    for (int i = 0; i < kSpinIterations && loops == seen; ++i) {
    }
    self.sleeps.store(true, std::memory_order_relaxed);
    ++sleeping;
    if (now == generation && loops == seen) sleep_while(loops, seen);
    self.sleeps.store(false, std::memory_order_relaxed);
    --sleeping;
    seen = loops;
  }
  retire(self);
}

void fail(int worker) {
  WorkerState& self = worker_states[worker];
  if (self.is_inside.load(std::memory_order_relaxed)) {
    has_failed = true;
    leave(self);
  }
  if (self.sleeps.exchange(false)) --sleeping;
  if (self.works.load(std::memory_order_relaxed)) retire(self);
}

bool is_at_work(int worker) { return worker_states[worker].works.load(); }

bool takes_part(int worker) {
  const WorkerState& self = worker_states[worker];
  return self.works.load() && self.generation.load() == now;
}

std::uint32_t generation() { return now; }

int ready() { return static_cast<int>(working.load(std::memory_order_relaxed)); }

void release() {
  ++now;
  wake_workers();
}

bool stop() {
  release();
  return spin_until([] { return working == 0; }, kLeaveMs);
}

void on_demand(void (*start)(), double milliseconds) {
  start_workers = start;
  start_threshold_ms = milliseconds;
}

void on_absence(void (*look)(bool is_overdue)) { on_missing_workers = look; }

void recover() {
  next.store(loop.ranges, std::memory_order_relaxed);
  close(0);
  has_failed = false;
}

}  // namespace workers

}  // namespace tenure::threads
