#include "shape_util/slice.h"
#include "cpu/kernels.h"
#include "cpu/movement/strided_copy.h"

namespace tenure::cpu {
namespace {

void copy_slice(const Slicing& slicing, const Tensor& in, Tensor& out) {
  const Dims strides = in.shape().strides();
  std::ptrdiff_t origin = 0;
  for (int i = 0; i < in.rank(); ++i) origin += std::ptrdiff_t{slicing.begin[i]} * strides[i];
  StridedCopy copy(origin);
  for (int i = 0; i < in.rank(); ++i) {
    // The stride of a single element has no effect, and may be any number.
    if (slicing.count[i] > 1) copy.add(slicing.count[i], std::ptrdiff_t{slicing.stride[i]} * strides[i]);
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

}  // namespace tenure::cpu
