#pragma once

#include <utility>

#include "core/interruption.h"
#include "core/memory/memory_user.h"
#include "core/run/op.h"

namespace tenure {

/// What ran on watched tensors and on what followed from them, in order, with what the rows of the ops ask to
/// keep for their gradients. Destroying it lets go of all, whatever was thrown in between.
class Tape final : public MemoryUser {
 public:
  struct Entry {
    /// Op::kCount for what a function from outside knows the gradient of.
    Op op;
    std::int32_t custom = 0;
    /// Numbers of the inputs; 0 for one that follows from nothing watched.
    std::vector<ValueNumber> inputs;
    /// The inputs and the output, without data where the row does not save them.
    Tensors saved;
    Tensor output;
    std::vector<std::int32_t> attrs;
  };

  Tape() = default;
  ~Tape() override { unlist(); }
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  /// From now on what is made of the tensor is recorded; gives it a number, unless it has one.
  void watch(Tensor& tensor);
  bool watches(const Tensor& tensor) const { return tensor.value() != 0 && find(tensor.value()) >= 0; }
  void record(Op op, Inputs in, AttrsView attrs, const Tensor& out);
  /// Records an op of several inputs whose gradient `custom` stands for.
  void record_custom(std::int32_t custom, Inputs in, const Tensor& out);

  /// What values can be: first those watched, then the outputs of the entries.
  int values() const { return static_cast<int>(sources_.size() + entries_.size()); }
  /// The place among the values of a number; -1 for one that this tape does not know.
  int find(ValueNumber number) const;
  /// The entry that made the value, or null for a watched one.
  Entry* made_by(int value);
  /// Forgets the entry of the last value.
  void drop_last() {
    // A vector destroys an element before it forgets it: a cut must not fall between the two.
    const Entry dropped = std::move(entries_.back());
    entries_.pop_back();
  }
  const std::vector<Entry>& entries() const { return entries_; }
  /// The number of the raw call that it was made in.
  std::uint32_t made_in() const { return made_in_; }

  void add_to(Account& account) const override;

 private:
  void add(Entry entry, Inputs in, const Tensor& out);

  std::uint32_t made_in_ = interruption::call;
  // Both ascending, since numbers are given in order.
  std::vector<ValueNumber> sources_;
  std::vector<Entry> entries_;
};

/// After a raw call that was cut short: closes the tapes that it opened, and hides `hidden` tapes at the
/// bottom, as before the call.
void repair_tapes(std::size_t hidden) noexcept;

/// Tapes form a stack, and all that are open record, so that gradients of gradients can be taken.
void open_tape(Tape& tape);
/// Closes a tape and those opened after it; one that is not open is no error.
void close_tape(Tape& tape) noexcept;
/// Whether a tape is open that knows one of the inputs.
bool recorded(Inputs in);
/// Tells the open tapes that know an input what a function from outside has made.
void record_custom(std::int32_t custom, Inputs in, const Tensor& out);

/// Keeps a tape open until the end of the block.
class TapeGuard {
 public:
  explicit TapeGuard(Tape& tape) : tape_(tape) { open_tape(tape); }
  ~TapeGuard() { close_tape(tape_); }
  TapeGuard(const TapeGuard&) = delete;
  TapeGuard& operator=(const TapeGuard&) = delete;

 private:
  Tape& tape_;
};

/// Hides the tapes that are open; gives what resume_tapes() wants. Tapes opened from now on record.
std::size_t pause_tapes();
void resume_tapes(std::size_t paused);

/// Hides the tapes that are open until the end of the block.
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
