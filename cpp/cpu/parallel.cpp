#include "cpu/parallel.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/clock.h"
#include "core/error.h"

namespace tenure::cpu {
namespace {

/// The loop that is being shared. Written while nobody is inside, read by those who came in.
struct Loop {
  parallel::Range range = nullptr;
  const void* body = nullptr;
  std::size_t count = 0;
  std::size_t ranges = 0;
  int slots = 0;

  /// Where a range begins: their lengths differ by one at most.
  std::size_t begin_of(std::size_t at) const {
    return static_cast<std::size_t>(std::uint64_t{at} * count / ranges);
  }
};

/// What a word of state says: whether one may come in, how many did, and how many are inside.
constexpr std::uint32_t kOpen = 1U << 31;
constexpr std::uint32_t kCame = 1U << 16;
constexpr std::uint32_t kInside = kCame - 1;

/// What a worker has to give back where it ends in the middle. Written by itself alone.
struct Standing {
  bool works = false;
  bool is_inside = false;
};

/// Ranges for each thread: some are done sooner than others, as are some threads.
constexpr std::size_t kRangesEach = 4;
/// Looking for a loop this often takes some 50 microseconds; to be woken takes as long.
constexpr int kLooks = 20'000;

Loop loop;
bool is_shared = false;
void (*summon)() = nullptr;
// For how many more milliseconds loops go on alone before they call it.
double patience = 0;

// Each on a cache line of its own, for all threads write them.
alignas(64) std::atomic<std::uint32_t> gate{0};
alignas(64) std::atomic<std::size_t> next{0};
alignas(64) std::atomic<std::uint32_t> loops{0};
alignas(64) std::atomic<std::uint32_t> sleeping{0};
alignas(64) std::atomic<std::uint32_t> working{0};
std::atomic<std::uint32_t> now{0};
std::atomic<bool> has_failed{false};
Standing standings[kMaxThreads - 1];

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

/// As many for each thread, where there is work for as many.
std::size_t ranges_of(std::size_t count, std::size_t grain, std::size_t threads) {
  const std::size_t most = (count - 1) / grain + 1;
  return most < threads ? most : threads * std::min(most / threads, kRangesEach);
}

void call_all() {
  ++loops;
  if (sleeping > 0) wake(loops);
}

void take_ranges(int slot) {
  for (;;) {
    const std::size_t at = next.fetch_add(1, std::memory_order_relaxed);
    if (at >= loop.ranges) return;
    loop.range(loop.body, loop.begin_of(at), loop.begin_of(at + 1), slot);
  }
}

void leave(Standing& self) {
  self.is_inside = false;
  gate.fetch_sub(1, std::memory_order_release);
}

void help(std::uint32_t epoch, Standing& self) {
  std::uint32_t seen = gate.load(std::memory_order_relaxed);
  do {
    if ((seen & kOpen) == 0) return;
  } while (!gate.compare_exchange_weak(seen, seen + kCame + 1, std::memory_order_acq_rel));
  self.is_inside = true;
  const int slot = static_cast<int>((seen & ~kOpen) / kCame) + 1;
  if (slot < loop.slots && now == epoch) take_ranges(slot);
  leave(self);
}

void retire(Standing& self) {
  self.works = false;
  --working;
}

/// A thread of a page may not sleep, and what it waits for is at work already.
void close() {
  gate.fetch_and(~kOpen, std::memory_order_acq_rel);
  while ((gate.load(std::memory_order_acquire) & kInside) != 0) {
  }
  is_shared = false;
}

/// Looks at the clock, as workers are still to be asked for.
void compute_alone(std::size_t count, parallel::Range range, const void* body) {
  const double start = microseconds();
  range(body, 0, count, 0);
  patience -= (microseconds() - start) / 1e3;
  if (patience <= 0 && summon) std::exchange(summon, nullptr)();
}

}  // namespace

int thread_count() { return is_shared ? 1 : std::min(workers::ready() + 1, kMaxThreads); }

void parallel::share(std::size_t count, std::size_t grain, int slots, Range range, const void* body) {
  const auto threads = static_cast<std::size_t>(std::min(thread_count(), slots));
  if (threads <= 1) {
    return is_shared || !summon ? range(body, 0, count, 0) : compute_alone(count, range, body);
  }
  loop = {range, body, count, ranges_of(count, grain, threads), slots};
  is_shared = true;
  next.store(0, std::memory_order_relaxed);
  gate.store(kOpen, std::memory_order_release);
  call_all();
  take_ranges(0);
  close();
  check(!has_failed.exchange(false), "a thread of the engine failed, and what it computed is lost");
}

namespace workers {

void run(std::uint32_t epoch, int worker) {
  if (now != epoch) return;
  Standing& self = standings[worker];
  self.works = true;
  ++working;
  for (std::uint32_t seen = loops; now == epoch;) {
    help(epoch, self);
    for (int i = 0; i < kLooks && loops == seen; ++i) {
    }
    ++sleeping;
    if (now == epoch && loops == seen) sleep_while(loops, seen);
    --sleeping;
    seen = loops;
  }
  retire(self);
}

void fail(int worker) {
  Standing& self = standings[worker];
  if (self.is_inside) {
    has_failed = true;
    leave(self);
  }
  if (self.works) retire(self);
}

std::uint32_t epoch() { return now; }

int ready() { return static_cast<int>(working.load(std::memory_order_relaxed)); }

void stop() {
  ++now;
  call_all();
  while (working > 0) {
  }
}

void on_demand(void (*start)(), double milliseconds) {
  summon = start;
  patience = milliseconds;
}

void recover() {
  next.store(loop.ranges, std::memory_order_relaxed);
  close();
  has_failed = false;
}

}  // namespace workers

}  // namespace tenure::cpu
