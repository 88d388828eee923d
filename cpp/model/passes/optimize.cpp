#include "core/run/dispatch.h"
#include "model/passes/passes.h"

namespace tenure::passes {

void optimize(Graph& graph) {
  // Folded constants are computed on the CPU, because a lost device would lose them.
  const BackendGuard on_cpu(cpu_backend());
  remove_dead_nodes(graph);
  unroll_transposed_convs(graph);
  cancel_transposes(graph);
  fold_padding(graph);
  fold_affine(graph);
  fuse_activations(graph);
  remove_dead_nodes(graph);
}

}  // namespace tenure::passes
