#include "core/tape.h"

#include <algorithm>

#include "core/heap_sort.h"

namespace tenure {

std::uint32_t Tape::watch(Tensor& tensor) {
  // One count for all tapes: a tensor that an outer tape numbered must not look like one of an inner tape's
  // own.
  static std::uint32_t last_value = 0;
  if (tensor.value() == 0) tensor.set_value(++last_value);
  return tensor.value();
}

void Tape::record(Op op, Inputs in, AttrsView attrs, Tensor& out) {
  bool watched = false;
  for (int i = 0; i < in.size(); ++i) watched |= in[i].value() != 0;
  if (!watched) return;
  Entry entry{op, {}, {attrs.words().begin(), attrs.words().end()}, {}};
  for (int i = 0; i < in.size(); ++i) entry.inputs.push_back(in[i]);
  watch(out);
  entry.output = out;
  entries_.push_back(std::move(entry));
}

std::size_t Tape::bytes() const {
  std::vector<const Storage*> buffers;
  for (const Entry& entry : entries_) {
    for (const Tensor& input : entry.inputs) buffers.push_back(input.storage().get());
    buffers.push_back(entry.output.storage().get());
  }
  heap_sort(buffers);
  buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
  std::size_t total = 0;
  for (const Storage* buffer : buffers) total += buffer ? buffer->bytes() : 0;
  return total;
}

}  // namespace tenure
