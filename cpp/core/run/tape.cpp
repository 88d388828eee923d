#include "core/run/tape.h"

#include <algorithm>

#include "core/interruption.h"
#include "core/run/open_tapes.h"

namespace tenure {

void Tape::watch(Tensor& tensor) {
  if (tensor.value() == 0) tensor.set_value(next_trace_id());
  const auto at = std::lower_bound(sources_.begin(), sources_.end(), tensor.value());
  if (at == sources_.end() || *at != tensor.value()) sources_.insert(at, tensor.value());
}

int Tape::find(TraceId number) const {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), number,
                                      [](const Entry& entry, TraceId n) { return entry.output.value() < n; });
  if (found != entries_.end() && found->output.value() == number) {
    return static_cast<int>(sources_.size()) + static_cast<int>(found - entries_.begin());
  }
  const auto source = std::lower_bound(sources_.begin(), sources_.end(), number);
  return source != sources_.end() && *source == number ? static_cast<int>(source - sources_.begin()) : -1;
}

Tape::Entry* Tape::producer(int value) {
  const int entry = value - static_cast<int>(sources_.size());
  return entry < 0 ? nullptr : &entries_[static_cast<std::size_t>(entry)];
}

namespace {

/// Returns the tensor, or a symbolic one with its spec and number.
Tensor saved_tensor(const Tensor& x, bool with_data) {
  return with_data ? x : Tensor::symbolic(x.spec(), x.value());
}

}  // namespace

void Tape::add(Entry entry, Inputs in, const Tensor& out) {
  bool follows = false;
  for (int i = 0; i < in.size(); ++i) {
    const bool watched = watches(in[i]);
    follows |= watched;
    entry.inputs.push_back(watched ? in[i].value() : 0);
  }
  if (!follows) return;
  const std::uint16_t saves = entry.op == Op::kCount ? 0 : op_def(entry.op).saves;
  for (int i = 0; i < in.size(); ++i)
    entry.saved.push_back(saved_tensor(in[i], (saves >> std::min(i, 14) & 1) != 0));
  entry.output = saved_tensor(out, (saves & OpDef::kSavesOutput) != 0);
  if (entries_.size() == entries_.capacity()) {
    const interruption::CriticalSection growth;
    entries_.reserve(2 * entries_.size() + 16);
  }
  entries_.push_back(std::move(entry));
}

void Tape::record(Op op, Inputs in, AttrsView attrs, const Tensor& out) {
  add({op, 0, {}, {}, {}, {attrs.words().begin(), attrs.words().end()}}, in, out);
}

void Tape::record_custom(std::int32_t custom, Inputs in, const Tensor& out) {
  add({Op::kCount, custom, {}, {}, {}, {}}, in, out);
}

void Tape::add_to(MemoryReport& report) const {
  const auto add = [&](const Tensor& tensor) {
    if (tensor.has_data()) report.add(MemoryPart::kTape, tensor.storage().get());
  };
  for (const Entry& entry : entries_) {
    for (const Tensor& input : entry.saved) add(input);
    add(entry.output);
  }
}

OpenTapes& open_tapes() {
  static OpenTapes instance;
  return instance;
}

void open_tape(Tape& tape) {
  open_tapes().stack.push_back(&tape);
  open_tapes().recording = true;
}

void close_tape(Tape& tape) noexcept {
  OpenTapes& open = open_tapes();
  const auto at = std::find(open.stack.begin(), open.stack.end(), &tape);
  // Code outside the engine may have closed an outer tape first, or a repair may have closed this one.
  open.stack.erase(at, open.stack.end());
  open.hidden = std::min(open.hidden, open.stack.size());
  open.recording = open.stack.size() > open.hidden;
}

void repair_tapes(std::size_t hidden) noexcept {
  OpenTapes& open = open_tapes();
  std::erase_if(open.stack, [](const Tape* tape) { return tape->made_in() == interruption::call; });
  open.hidden = std::min(hidden, open.stack.size());
  open.recording = open.stack.size() > open.hidden;
}

std::size_t pause_tapes() {
  OpenTapes& open = open_tapes();
  open.recording = false;
  return std::exchange(open.hidden, open.stack.size());
}

void resume_tapes(std::size_t paused) {
  OpenTapes& open = open_tapes();
  open.hidden = paused;
  open.recording = open.stack.size() > paused;
}

bool recorded(Inputs in) {
  const OpenTapes& open = open_tapes();
  for (std::size_t t = open.hidden; t < open.stack.size(); ++t) {
    for (int i = 0; i < in.size(); ++i) {
      if (open.stack[t]->watches(in[i])) return true;
    }
  }
  return false;
}

void record_on_tapes(Op op, Inputs in, AttrsView attrs, Tensor& out) {
  if (!recorded(in)) return;
  if (out.value() == 0) out.set_value(next_trace_id());
  const OpenTapes& open = open_tapes();
  for (std::size_t t = open.hidden; t < open.stack.size(); ++t) open.stack[t]->record(op, in, attrs, out);
}

void record_custom(std::int32_t custom, Inputs in, const Tensor& out) {
  const OpenTapes& open = open_tapes();
  for (std::size_t t = open.hidden; t < open.stack.size(); ++t) open.stack[t]->record_custom(custom, in, out);
}

}  // namespace tenure
