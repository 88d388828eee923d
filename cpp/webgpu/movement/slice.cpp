#include "shape_util/slice.h"
#include "webgpu/kernels.h"
#include "webgpu/movement/strided_copy.h"

namespace tenure::webgpu {
namespace {

void copy_slice(const Slicing& slicing, const Tensor& in, Tensor& out) {
  const Dims strides = in.shape().strides();
  int origin = 0;
  for (int i = 0; i < in.rank(); ++i) origin += slicing.begin[i] * strides[i];
  StridedCopy copy(origin);
  for (int i = 0; i < in.rank(); ++i) {
    // A single element's stride may be any number and has no effect.
    if (slicing.count[i] > 1) copy.add(slicing.count[i], slicing.stride[i] * strides[i]);
  }
  copy.run(in, out);
}

}  // namespace

void slice(const KernelArgs& args) {
  copy_slice(get_slice_bounds(args.in[0].shape(), args.attrs.as<SliceAttrs>()), args.in[0], args.out);
}

void strided_slice(const KernelArgs& args) {
  copy_slice(get_slice_bounds(args.in[0].shape(), args.attrs.as<StridedSliceAttrs>()), args.in[0], args.out);
}

}  // namespace tenure::webgpu
