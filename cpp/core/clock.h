#pragma once

#include <ctime>

namespace tenure {

/// Of a clock that nobody sets, from some moment on.
inline double microseconds() {
  // Not std::chrono: its clocks may throw, and the download would carry what that drags along.
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

}  // namespace tenure
