#pragma once

#include <cstdint>

namespace tenure::keras {

/// Seeds of a layer's random ops: a different one for each call, the same sequence in each run of the
/// program. A first seed of 0 means unseeded: all seeds are 0, for which the engine draws different numbers
/// each time.
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
