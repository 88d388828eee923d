#include "core/run/dispatch.h"
#include "model/passes/passes.h"

namespace tenure::passes {

void optimize(Graph& graph) {
  // Constants that a device alone has would be lost with it.
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
