#include "core/memory/crossings.h"

namespace tenure {
namespace {

// Op::kCount stands for no op.
struct State {
  Op op = Op::kCount;
  std::array<Crossings, kOpCount + 1> of_op;
};

State& state() {
  static State instance;
  return instance;
}

}  // namespace

Crossings& crossings() { return state().of_op[static_cast<std::size_t>(state().op)]; }
const Crossings& crossings_of(Op op) { return state().of_op[static_cast<std::size_t>(op)]; }

Crossings total_crossings() {
  Crossings total;
  for (const Crossings& each : state().of_op) {
    total.uploads += each.uploads;
    total.downloads += each.downloads;
    total.bytes += each.bytes;
    total.fallbacks += each.fallbacks;
  }
  return total;
}

CrossingScope::CrossingScope(Op op) : previous_(std::exchange(state().op, op)) {}
CrossingScope::~CrossingScope() { state().op = previous_; }

}  // namespace tenure
