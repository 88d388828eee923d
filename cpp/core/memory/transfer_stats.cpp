#include "core/memory/transfer_stats.h"

namespace tenure {
namespace {

// Op::kCount stands for no op.
struct State {
  Op op = Op::kCount;
  std::array<TransferStats, kOpCount + 1> by_op;
};

State& state() {
  static State instance;
  return instance;
}

}  // namespace

TransferStats& transfer_stats() { return state().by_op[static_cast<std::size_t>(state().op)]; }
const TransferStats& get_transfer_stats(Op op) { return state().by_op[static_cast<std::size_t>(op)]; }

TransferStats total_transfer_stats() {
  TransferStats total;
  for (const TransferStats& each : state().by_op) {
    total.uploads += each.uploads;
    total.downloads += each.downloads;
    total.bytes += each.bytes;
    total.fallbacks += each.fallbacks;
  }
  return total;
}

TransferScope::TransferScope(Op op) : previous_(std::exchange(state().op, op)) {}
TransferScope::~TransferScope() { state().op = previous_; }

}  // namespace tenure
