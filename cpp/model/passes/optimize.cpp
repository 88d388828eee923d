#include "model/passes.h"

namespace tenure::passes {

void optimize(Graph& graph) { remove_dead_nodes(graph); }

}  // namespace tenure::passes
