// A Concat that appends keys or values to a cache, which the model takes and returns, becomes an op of its
// own.

#include <algorithm>

#include "import/onnx/families.h"
#include "import/onnx/reader.h"

namespace tenure::onnx {

void fuse_caches(Block& block, std::span<const Ref> outputs) {
  const Row* const concat = find_row("", "Concat");
  const Row* const mat_mul = find_row("", "MatMul");
  for (const Node& product : block.nodes) {
    if (product.row != mat_mul && product.row != &kTransposedMatMulRow) continue;
    const Ref& ref = product.inputs.size() == 2 ? product.inputs[1] : Ref{Ref::kAbsent, 0};
    if (ref.is_absent() || std::find(outputs.begin(), outputs.end(), ref) == outputs.end()) continue;
    Node& node = block.nodes[ref.node];
    if (node.row != concat || node.inputs.size() != 2 || node.inputs[0].is_absent()) continue;
    const NodeRole role = block.nodes[node.inputs[0].node].role;
    if (role == NodeRole::kInput || role == NodeRole::kOptionalInput) node.row = &kCacheConcatRow;
  }
}

}  // namespace tenure::onnx
