#include <limits>

#include "ops/dtypes.h"
#include "ops/infer.h"

namespace tenure::infer {

TensorSpec tile(Inputs in, const TileAttrs& attrs) {
  check_kernel_dtype(in[0].dtype());
  Shape shape = in[0].shape();
  check_shape(attrs.reps.size() == shape.size(), "rank of input ", shape.size(),
              " must match length of reps ", attrs.reps, ".");
  for (int i = 0; i < shape.size(); ++i) {
    check_shape(attrs.reps[i] >= 0, "expected reps of 0 or more, got ", attrs.reps);
    const std::int64_t extent = std::int64_t{shape[i]} * attrs.reps[i];
    check_shape(extent <= std::numeric_limits<std::int32_t>::max(), "the result would have ", extent,
                " elements along axis ", i);
    shape[i] = static_cast<std::int32_t>(extent);
  }
  return {shape, in[0].dtype()};
}

}  // namespace tenure::infer
