#pragma once

#include <utility>

#include "core/interruption.h"
#include "core/memory/memory_tracked.h"
#include "core/run/op.h"

namespace tenure {

/// A record of the ops that ran on watched tensors and on values computed from them, in order, with the
/// tensors that the ops' rows save for their gradients. Destroying it releases everything, even after a
/// throw.
class Tape final : public MemoryTracked {
 public:
  struct Entry {
    /// Op::kCount for an op whose gradient is a function from outside the engine.
    Op op;
    std::int32_t custom = 0;
    /// Value numbers of the inputs; 0 for an input that does not depend on a watched tensor.
    std::vector<TraceId> inputs;
    /// The inputs, without data where the row does not save them.
    Tensors saved;
    /// The output, without data where the row does not save it.
    Tensor output;
    std::vector<std::int32_t> attrs;
  };

  Tape() = default;
  ~Tape() override { unlist(); }
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  /// Starts to record what is computed from the tensor. Numbers the tensor, unless it has a number.
  void watch(Tensor& tensor);
  bool watches(const Tensor& tensor) const { return tensor.value() != 0 && find(tensor.value()) >= 0; }
  void record(Op op, Inputs in, AttrsView attrs, const Tensor& out);
  /// Records an op whose gradient is the function `custom`.
  void record_custom(std::int32_t custom, Inputs in, const Tensor& out);

  /// Returns the number of values: the watched tensors, then the outputs of the entries.
  int values() const { return static_cast<int>(sources_.size() + entries_.size()); }
  /// Returns the index of the value with this number, or -1 if the tape has none.
  int find(TraceId number) const;
  /// Returns the entry that produced the value, or null for a watched tensor.
  Entry* producer(int value);
  /// Removes the last entry.
  void drop_last() {
    // A vector destroys an element before it removes it: an interruption must not fall between the two.
    const Entry dropped = std::move(entries_.back());
    entries_.pop_back();
  }
  const std::vector<Entry>& entries() const { return entries_; }
  /// Returns the number of the raw call that created the tape.
  std::uint32_t made_in() const { return made_in_; }

  void add_to(MemoryReport& report) const override;

 private:
  void add(Entry entry, Inputs in, const Tensor& out);

  std::uint32_t made_in_ = interruption::call;
  // Both ascending, since numbers are assigned in order.
  std::vector<TraceId> sources_;
  std::vector<Entry> entries_;
};

/// Closes the tapes that an interrupted raw call opened, and hides the `hidden` tapes at the bottom, as
/// before the call.
void repair_tapes(std::size_t hidden) noexcept;

/// Opens a tape. Tapes form a stack, and all that are open record, so that gradients of gradients can be
/// taken.
void open_tape(Tape& tape);
/// Closes a tape and those opened after it. Does nothing if it is not open.
void close_tape(Tape& tape) noexcept;
/// True if a tape that records watches one of the inputs.
bool recorded(Inputs in);
/// Records an op whose gradient is the function `custom` on the open tapes that watch one of its inputs.
void record_custom(std::int32_t custom, Inputs in, const Tensor& out);

/// Scope: keeps a tape open.
class TapeGuard {
 public:
  explicit TapeGuard(Tape& tape) : tape_(tape) { open_tape(tape); }
  ~TapeGuard() { close_tape(tape_); }
  TapeGuard(const TapeGuard&) = delete;
  TapeGuard& operator=(const TapeGuard&) = delete;

 private:
  Tape& tape_;
};

/// Hides the tapes that are open; tapes that are opened later record. Returns the argument for
/// resume_tapes().
std::size_t pause_tapes();
/// Shows the tapes that pause_tapes() has hidden.
void resume_tapes(std::size_t paused);

/// Scope: hides the tapes that are open.
class TapePause {
 public:
  TapePause() : paused_(pause_tapes()) {}
  ~TapePause() { resume_tapes(paused_); }
  TapePause(const TapePause&) = delete;
  TapePause& operator=(const TapePause&) = delete;

 private:
  std::size_t paused_;
};

}  // namespace tenure
