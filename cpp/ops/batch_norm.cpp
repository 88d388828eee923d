#include "core/error.h"
#include "ops/infer.h"

namespace tenure::infer {
namespace {

// [channels] with any number of extents of 1 before, as moments(keepDims) gives.
bool is_per_channel(const Shape& shape, const Shape& x) {
  return shape.rank > 0 && shape.back() == x.back() && shape.elements() == static_cast<std::size_t>(x.back());
}

}  // namespace

TensorSpec batch_norm(Inputs in, const BatchNormAttrs&) {
  constexpr const char* names[] = {"x", "mean", "variance", "offset", "scale"};
  const Tensor& x = in[0];
  check_shape(x.rank() > 0, "expected x of rank 1 or higher, got a scalar");
  for (int i = 0; i < in.size(); ++i) {
    if (!in.has(i)) continue;
    check(in[i].dtype() == DType::kFloat32, "Argument '", names[i],
          "' passed to 'batchNorm' must be float32 tensor, but got ", name_of(in[i].dtype()), " tensor");
    if (i == 0) continue;
    check_shape(in[i].rank() == in[1].rank(), "Batch normalization gradient requires mean and ", names[i],
                " to have equal ranks.");
    check_shape(in[i].shape() == x.shape() || is_per_channel(in[i].shape(), x.shape()), "expected ", names[i],
                " of shape ", Shape{x.shape().back()}, " or ", x.shape(), ", got ", in[i].shape());
  }
  return x.spec();
}

}  // namespace tenure::infer
