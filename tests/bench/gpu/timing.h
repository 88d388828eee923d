#pragma once

#include <algorithm>

#include "core/clock.h"
#include "core/tensor.h"
#include "gl/device/context.h"

namespace tenure::bench {

/// How long measurements may take.
struct Effort {
  bool quick = false;
  /// Milliseconds of one round.
  double round() const { return quick ? 4 : 40; }
  int rounds() const { return quick ? 1 : 3; }
};

/// Waits until the device has done all that it was told.
inline void wait_for_device() {
  if (gl::Context::current()) glFinish();
}

/// The least mean milliseconds of run(), in rounds of several calls; wait() ends what the calls of a round
/// began. The first call, which compiles programs, is not counted.
template <class Run, class Wait>
double time_calls(const Effort& effort, const Run& run, const Wait& wait) {
  const auto time_of = [&](int calls) {
    const double start = microseconds();
    for (int i = 0; i < calls; ++i) run();
    wait();
    return (microseconds() - start) / 1e3;
  };
  time_of(1);
  const double once = std::max(time_of(1), 1e-4);
  const int calls = std::clamp(static_cast<int>(effort.round() / once), 1, 1000);
  double best = once;
  // What takes several rounds by itself is timed well enough.
  for (int i = 0; i < effort.rounds() && once < 4 * effort.round(); ++i) {
    best = std::min(best, time_of(calls) / calls);
  }
  return best;
}

/// Milliseconds of run() on the device.
template <class Run>
double time_on_device(const Effort& effort, const Run& run) {
  return time_calls(effort, run, wait_for_device);
}

/// Values between -1 and 1, the same ones for each seed.
Tensor values(const Shape& shape, std::uint32_t seed = 1);
/// The same on the device alone.
Tensor device_values(const Shape& shape, std::uint32_t seed = 1);
/// All that the machine has, at most what kernels can use.
int all_threads();
/// Loops of kernels have so many threads from now on.
void use_threads(int threads);
/// Computes what waits to be read.
void settle(const Tensor& x);

}  // namespace tenure::bench
