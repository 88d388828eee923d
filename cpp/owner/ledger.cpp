#include "owner/ledger.h"

#ifdef TENURE_DEBUG

#include <initializer_list>
#include <new>

namespace tenure::ledger {
namespace {

struct State {
  bool listening = false;
  std::vector<std::int32_t> entries;
  std::vector<std::int32_t> taken;
};

State& state() {
  static State instance;
  return instance;
}

/// Writes one entry, as a whole or, if memory is exhausted, not at all: the log must not make operations
/// fail.
void write(Entry entry, std::initializer_list<std::uint32_t> words, const Shape& extents = {}) noexcept {
  State& s = state();
  if (!s.listening) return;
  const std::size_t before = s.entries.size();
  try {
    s.entries.push_back(entry);
    for (const std::uint32_t word : words) s.entries.push_back(static_cast<std::int32_t>(word));
    s.entries.insert(s.entries.end(), extents.begin(), extents.end());
  } catch (const std::bad_alloc&) {
    s.entries.resize(before);
  }
}

std::uint32_t low(std::uint64_t handle) { return static_cast<std::uint32_t>(handle); }
std::uint32_t high(std::uint64_t handle) { return static_cast<std::uint32_t>(handle >> 32); }

}  // namespace

void listen(bool on) {
  state().listening = on;
  state().entries.clear();
}

void born(std::uint64_t handle, std::uint32_t owner, const Tensor& tensor) {
  write(kBorn,
        {low(handle), high(handle), owner, static_cast<std::uint32_t>(tensor.dtype()),
         static_cast<std::uint32_t>(tensor.rank())},
        tensor.shape());
}

void died(std::uint64_t handle) { write(kDied, {low(handle), high(handle)}); }
void moved(std::uint64_t handle, std::uint32_t owner) { write(kMoved, {low(handle), high(handle), owner}); }
void opened(std::uint32_t owner, std::uint32_t parent) { write(kOpened, {owner, parent}); }
void closed(std::uint32_t owner) { write(kClosed, {owner}); }

std::size_t words() { return state().entries.size(); }

const std::vector<std::int32_t>& take() {
  State& s = state();
  s.taken.swap(s.entries);
  s.entries.clear();
  return s.taken;
}

}  // namespace tenure::ledger

#endif
