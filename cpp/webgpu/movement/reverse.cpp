#include "webgpu/kernels.h"
#include "webgpu/movement/strided_copy.h"

namespace tenure::webgpu {

void reverse(const KernelArgs& args) {
  const Shape& shape = args.in[0].shape();
  const Dims axes = normalize_axes(args.attrs.as<AxesAttrs>().axes, shape.size());
  const Dims strides = shape.strides();
  int origin = 0;
  for (const int axis : axes) origin += (shape[axis] - 1) * strides[axis];
  StridedCopy copy(origin);
  for (int i = 0; i < shape.size(); ++i) copy.add(shape[i], axes.contains(i) ? -strides[i] : strides[i]);
  copy.run(args.in[0], args.out);
}

}  // namespace tenure::webgpu
