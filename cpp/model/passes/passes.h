#pragma once

#include "model/graph/graph.h"

/// Passes that rewrite a graph and preserve its results, up to rounding. Each can run alone.
namespace tenure::passes {

/// Moves transposes towards the outputs, through elementwise ops, and removes those that cancel.
void cancel_transposes(Graph& graph);
/// Rewrites transposed convolutions with at most 7 output channels and windows that do not overlap as 1x1
/// convolutions followed by reshapes and a transpose.
void unroll_transposed_convs(Graph& graph);
/// Folds a pad with zeros into the convolutions that read it.
void fold_padding(Graph& graph);
/// Folds batch norms and multiplications, additions and subtractions with a constant for each channel into
/// the convolution or matrix product before them, by changing its filter and bias.
void fold_affine(Graph& graph);
/// Fuses an activation into the epilogue of the convolution or matrix product before it.
void fuse_activations(Graph& graph);
/// Removes nodes whose results are not read, and the constants that no remaining node reads.
void remove_dead_nodes(Graph& graph);

/// Runs all passes, in an order in which each profits from the earlier ones.
void optimize(Graph& graph);

}  // namespace tenure::passes
