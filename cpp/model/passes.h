#pragma once

#include "model/graph.h"

/// Rewrites of a graph that keep what it computes. Each is complete in itself; optimize() runs them in a good
/// order.
namespace tenure::passes {

/// Drops nodes whose result nobody reads.
void remove_dead_nodes(Graph& graph);
/// Makes readers of an identity read its input.
void remove_identities(Graph& graph);
/// Folds a zero pad into the convolution that follows.
void fold_padding(Graph& graph);
/// Folds a batch norm, or a multiplication or addition of constants per channel, into the convolution or
/// matrix product before it, whose constants change.
void fold_affine(Graph& graph);
/// Lets a convolution or matrix product apply the activation that follows.
void fuse_activations(Graph& graph);

void optimize(Graph& graph);

}  // namespace tenure::passes
