#pragma once

#include "core/run/op.h"

namespace tenure {

/// Tiles dimensions [first, last) of a tensor by one strided copy. `Copy` is a device's StridedCopy. Returns
/// false if that needs more dimensions than the copy has.
template <class Copy>
bool tile_dimensions(const Tensor& in, const Dims& reps, int first, int last, Tensor& out) {
  const Dims strides = in.shape().strides();
  Copy copy;
  for (int i = 0; i < in.rank(); ++i) {
    const bool repeats = i >= first && i < last && reps[i] > 1;
    if (copy.full()) return false;
    if (repeats) copy.add(reps[i], 0);
    if (copy.full()) return false;
    copy.add(in.dim(i), strides[i]);
  }
  copy.run(in, out);
  return true;
}

/// Computes the op `tile` by strided copies on a device: one if it has enough dimensions, otherwise one for
/// each dimension, the last first.
template <class Copy>
void tile_by_copies(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const auto attrs = args.attrs.as<TileAttrs>();
  if (tile_dimensions<Copy>(x, attrs.reps, 0, x.rank(), args.out)) return;
  Tensor tiled = x;
  for (int i = x.rank() - 1; i >= 0; --i) {
    Shape shape = tiled.shape();
    shape[i] *= attrs.reps[i];
    Tensor next = i == 0 ? args.out : Tensor::deferred({shape, x.dtype()});
    tile_dimensions<Copy>(tiled, attrs.reps, i, i + 1, next);
    tiled = next;
  }
}

}  // namespace tenure
