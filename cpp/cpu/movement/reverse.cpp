#include "cpu/kernels.h"
#include "cpu/movement/strided_copy.h"

namespace tenure::cpu {

void reverse(const KernelArgs& args) {
  const Shape& shape = args.in[0].shape();
  const Dims axes = normalize_axes(args.attrs.as<AxesAttrs>().axes, shape.size());
  const Dims strides = shape.strides();
  std::ptrdiff_t origin = 0;
  for (const int axis : axes) origin += std::ptrdiff_t{shape[axis] - 1} * strides[axis];
  StridedCopy copy(origin);
  for (int i = 0; i < shape.size(); ++i) copy.add(shape[i], axes.contains(i) ? -strides[i] : strides[i]);
  copy.run(args.in[0], args.out);
}

}  // namespace tenure::cpu
