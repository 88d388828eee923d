#include "gl/backend.h"
#include "gl/device/context.h"
#include "gl/kernels.h"
#include "gl/kernels/strided_copy.h"

namespace tenure::gl {

void transpose(const KernelArgs& args) {
  // A software renderer reads four texels for each one that it writes: the CPU's kernel takes a fifteenth of
  // the time. An upload of the result later is as large as one of the input now.
  const bool on_cpu = !args.in[0].storage()->only_on(device());
  if (on_cpu && should_prefer_cpu() && !context().prelinking()) return fall_back_to_cpu(Op::transpose, args);
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

}  // namespace tenure::gl
