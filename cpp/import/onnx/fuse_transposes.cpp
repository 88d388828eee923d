// MatMul of a Transpose that swaps the last two axes becomes one node: the scores of attention are written
// so, and products with an embedding's weights.

#include <algorithm>

#include "import/onnx/families.h"
#include "import/onnx/reader.h"

namespace tenure::onnx {
namespace {

/// True if the permutation swaps the last two axes and keeps the others.
bool swaps_last_two(std::span<const std::int32_t> perm) {
  const auto rank = static_cast<std::int32_t>(perm.size());
  for (std::int32_t i = 0; i < rank; ++i) {
    const std::int32_t source = i < rank - 2 ? i : 2 * rank - 3 - i;
    if (perm[static_cast<std::size_t>(i)] != source) return false;
  }
  return rank >= 2;
}

}  // namespace

void fuse_transposes(Block& block) {
  const Row* const mat_mul = find_row("", "MatMul");
  const Row* const transpose = find_row("", "Transpose");
  for (Node& node : block.nodes) {
    if (node.row != mat_mul || node.inputs.size() != 2) continue;
    for (std::size_t i = 0; i < 2; ++i) {
      if (node.inputs[i].is_absent()) continue;
      const Node& producer = block.nodes[node.inputs[i].node];
      if (producer.row != transpose || producer.inputs.size() != 1 || producer.inputs[0].is_absent())
        continue;
      std::vector<std::int32_t> perm = producer.attrs.integers("perm");
      const Node& source = block.nodes[producer.inputs[0].node];
      // Without a permutation all axes are reversed.
      if (perm.empty() && source.role == NodeRole::kConstant && source.constant.rank() == 2) perm = {1, 0};
      if (!swaps_last_two(perm)) continue;
      node.inputs[i] = producer.inputs[0];
      node.attrs.add({std::string(kTransposedRanks[i]), {static_cast<double>(perm.size())}});
      node.row = &kTransposedMatMulRow;
    }
  }
}

}  // namespace tenure::onnx
