#pragma once

#include <vector>

#include "core/recorder.h"

namespace tenure {

/// What ran, in order, with the tensors that a gradient may need. Clearing or destroying it lets go of them
/// all, whatever was thrown in between.
class Tape final : public Recorder {
 public:
  struct Entry {
    Op op;
    Tensors inputs;
    std::vector<std::int32_t> attrs;
    Tensor output;
  };

  /// Gives the tensor a number, so that entries made from it can be told; returns it.
  std::uint32_t watch(Tensor& tensor);
  void record(Op op, Inputs in, AttrsView attrs, Tensor& out) override;
  const std::vector<Entry>& entries() const { return entries_; }
  /// Bytes of the distinct buffers that only the tape may be keeping alive.
  std::size_t bytes() const;
  void clear() { entries_.clear(); }

 private:
  std::vector<Entry> entries_;
};

}  // namespace tenure
