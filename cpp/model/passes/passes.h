#pragma once

#include "model/graph/graph.h"

/// Rewrites of a graph that keep what it computes, up to rounding. Each is complete in itself.
namespace tenure::passes {

/// Moves transposes towards the outputs, through elementwise ops, and drops those that undo each other.
void cancel_transposes(Graph& graph);
/// Makes transposed convolutions with few output channels, whose windows do not overlap, ordinary ones of one
/// tap, whose results are put into their places.
void unroll_transposed_convs(Graph& graph);
/// Folds a pad with zeros into the convolutions that read it.
void fold_padding(Graph& graph);
/// Folds a batch norm, and multiplications and additions of a constant for each channel, into the convolution
/// or matrix product before them, by changing its filter and bias.
void fold_affine(Graph& graph);
/// Lets a convolution or matrix product apply the activation that follows it.
void fuse_activations(Graph& graph);
/// Drops nodes whose result nobody reads, and constants that no node is left to use.
void remove_dead_nodes(Graph& graph);

/// All of the above, in an order in which each finds what the others prepare.
void optimize(Graph& graph);

}  // namespace tenure::passes
