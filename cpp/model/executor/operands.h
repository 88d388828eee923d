#pragma once

#include "model/executor/row.h"

/// Helpers of rows for inputs and results, shared by all file formats.
namespace tenure::executor {

/// True if input i is there: it is neither beyond the node's inputs nor left out.
inline bool has(const Call& call, int i) { return i < call.size() && !call.item(i).is_dead(); }
/// Returns input i, or an empty tensor if it is not there, as ops take optional inputs.
inline Tensor optional(const Call& call, int i) { return has(call, i) ? call[i] : Tensor(); }

/// Returns x as int32, the dtype of indices.
Tensor as_indices(const Tensor& x);
/// Returns x as `dtype`, or x itself if it has it.
Tensor as_dtype(const Tensor& x, DType dtype);
/// Returns a scalar of x's dtype, for an op with x.
Tensor scalar_like(const Tensor& x, double value);
/// Returns a scalar 0 of x's dtype, or false, for where() with x.
Tensor zero_like(const Tensor& x);

/// Reads input 1, pads of shape [rank, 2], into two lists. Throws for another number of pads.
void read_pads(const Call& call, Dims& before, Dims& after);
/// Reads input 1, block sizes, and input 2, pads or crops of shape [dimensions, 2].
BlocksAttrs read_blocks(const Call& call);

EdgeValues to_edge_values(Tensors tensors);
EdgeValues to_edge_values(std::span<const Tensor> tensors);

}  // namespace tenure::executor
