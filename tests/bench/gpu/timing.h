#pragma once

#include <algorithm>
#include <cstdint>

#include "core/clock.h"
#include "core/tensor.h"

namespace tenure::bench {

/// The duration of measurements.
struct Effort {
  bool quick = false;
  /// Returns the milliseconds of one round.
  double round() const { return quick ? 4 : 40; }
  int rounds() const { return quick ? 1 : 3; }
};

/// The device that is measured.
enum class DeviceKind : std::uint8_t { kWebGl, kWebGpu };
/// Starts the device and makes its backend the current one. Returns false if there is none. Started again, it
/// has no compiled programs.
bool start_device(DeviceKind kind);
/// Makes the CPU's backend the current one and ends the device.
void stop_device();
/// Waits until the device has finished all commands.
void wait_for_device();

/// Returns the minimum over rounds of the mean milliseconds of run(). wait() finishes the work that the calls
/// of a round started. The first call, which compiles programs, is not counted.
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
  // A single call longer than several rounds is timed precisely enough.
  for (int i = 0; i < effort.rounds() && once < 4 * effort.round(); ++i) {
    best = std::min(best, time_of(calls) / calls);
  }
  return best;
}

/// Returns the milliseconds of run() on the device.
template <class Run>
double time_on_device(const Effort& effort, const Run& run) {
  return time_calls(effort, run, wait_for_device);
}

/// Returns values between -1 and 1 that depend on the seed alone.
Tensor values(const Shape& shape, std::uint32_t seed = 1);
/// Returns such values on the device only.
Tensor device_values(const Shape& shape, std::uint32_t seed = 1);
/// Returns the number of the machine's threads, limited to what kernels can use.
int all_threads();
/// Sets the number of threads of kernel loops.
void use_threads(int threads);
/// Computes a deferred result.
void settle(const Tensor& x);

}  // namespace tenure::bench
