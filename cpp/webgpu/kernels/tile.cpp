#include "webgpu/kernels.h"
#include "webgpu/kernels/strided_copy.h"

namespace tenure::webgpu {
namespace {

/// Tiles dimensions [first, last) only. Returns false if that needs more dimensions than a shader supports.
bool tile_some(const Tensor& in, const Dims& reps, int first, int last, Tensor& out) {
  const Dims strides = in.shape().strides();
  StridedCopy copy;
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

}  // namespace

void tile(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const auto attrs = args.attrs.as<TileAttrs>();
  if (tile_some(x, attrs.reps, 0, x.rank(), args.out)) return;
  // One dimension after another, the last first.
  Tensor tiled = x;
  for (int i = x.rank() - 1; i >= 0; --i) {
    Shape shape = tiled.shape();
    shape[i] *= attrs.reps[i];
    Tensor next = i == 0 ? args.out : Tensor::deferred({shape, x.dtype()});
    tile_some(tiled, attrs.reps, i, i + 1, next);
    tiled = next;
  }
}

}  // namespace tenure::webgpu
