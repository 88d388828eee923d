#include "import/graphdef/families.h"

namespace tenure::graphdef {
namespace {

/// Routes input 0 to output 1 if the condition is true, otherwise to output 0. The other output is dead.
EdgeValues route(const Call& call) {
  EdgeValues items(2);
  items[call.boolean(1) ? 1 : 0] = call.item(0);
  return items;
}

/// Returns the first input that is not dead, and its index.
EdgeValues merge(const Call& call) {
  for (int i = 0; i < call.size(); ++i) {
    if (!call.item(i).is_dead()) return {call.item(i), Tensor::scalar(static_cast<std::int32_t>(i))};
  }
  return {};
}

EdgeValues pass(const Call& call) { return {call.item(0)}; }

constexpr Row kRows[] = {
    {"Switch", route, "output_false,output_true"},
    {"Merge", Control::kMerge, merge, "output,value_index"},
    {"LoopCond", pass},
    {"Enter", pass},
    {"Exit", pass},
    {"NextIteration", pass},
    {"If", Control::kIf},
    {"StatelessIf", Control::kIf},
    {"While", Control::kWhile},
    {"StatelessWhile", Control::kWhile},
    {"PartitionedCall", Control::kCall},
    {"StatefulPartitionedCall", Control::kCall},
};

}  // namespace

std::span<const Row> control_rows() { return kRows; }

}  // namespace tenure::graphdef
