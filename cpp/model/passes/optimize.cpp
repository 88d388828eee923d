#include "model/passes.h"

namespace tenure::passes {

void optimize(Graph& graph) {
  remove_dead_nodes(graph);
  unroll_transposed_convs(graph);
  cancel_transposes(graph);
  fold_padding(graph);
  fold_affine(graph);
  fuse_activations(graph);
  remove_dead_nodes(graph);
}

}  // namespace tenure::passes
