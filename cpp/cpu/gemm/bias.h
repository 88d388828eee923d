#pragma once

#include <algorithm>

#include "core/run/op.h"
#include "cpu/threads/scratch.h"

namespace tenure::cpu {

/// The bias of an op, its third input, as one float per column; a scalar is repeated.
class ColumnBias {
 public:
  ColumnBias(const Inputs& in, int columns) {
    if (!in.has(2)) return;
    values_ = in[2].data<float>();
    if (in[2].elements() == 1 && columns > 1) {
      const auto count = static_cast<std::size_t>(columns);
      repeated_ = Scratch<float>(count + Storage::kSlack / sizeof(float));
      std::fill_n(repeated_.data(), repeated_.size(), *values_);
      values_ = repeated_.data();
    }
  }
  /// Returns the values, one per column; null if the op has no bias.
  const float* values() const { return values_; }

 private:
  const float* values_ = nullptr;
  Scratch<float> repeated_;
};

}  // namespace tenure::cpu
