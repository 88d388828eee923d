#include "webgpu/kernels.h"
#include "webgpu/movement/strided_copy.h"

namespace tenure::webgpu {

void transpose(const KernelArgs& args) {
  const auto attrs = args.attrs.as<PermutationAttrs>();
  const Shape& shape = args.in[0].shape();
  const Dims strides = shape.strides();
  StridedCopy copy;
  for (int i = 0; i < shape.size(); ++i) {
    const int axis = attrs.perm.empty() ? shape.size() - 1 - i : attrs.perm[i];
    copy.add(shape[axis], strides[axis]);
  }
  copy.run(args.in[0], args.out);
}

}  // namespace tenure::webgpu
