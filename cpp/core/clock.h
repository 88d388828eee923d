#pragma once

#include <ctime>

namespace tenure {

/// Returns the microseconds of a monotonic clock since an arbitrary moment.
inline double microseconds() {
  // Not std::chrono: its clocks may throw, and what that links in would enlarge the download.
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

}  // namespace tenure
