#pragma once

#include <cstdint>

namespace tenure::keras {

/// The seeds of what a layer draws: others in each call, and the same in each run of the program; of 0, seeds
/// of numbers that are never the same.
class Seeds {
 public:
  explicit Seeds(std::int32_t first) : first_(first) {}
  std::int32_t next() {
    if (first_ == 0) return 0;
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(first_) + 2654435761U * drawn_++) | 1;
  }

 private:
  std::int32_t first_;
  std::uint32_t drawn_ = 0;
};

}  // namespace tenure::keras
