#include "import/onnx/rows/pooling.h"

#include "import/onnx/families.h"
#include "import/onnx/windows.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

Tensor power(const Tensor& x, float exponent) { return pow(x, Tensor::scalar(exponent)); }

float read_order(const Call& call) {
  const auto p = static_cast<float>(call.attrs().number("p", 2));
  check(p > 0, "attribute \"p\" is ", p);
  return p;
}

/// Returns the norm of each window: the root of its sum of powers.
Tensor norm_pooled(const Call& call) {
  const float p = read_order(call);
  float size = 1;
  for (const std::int32_t extent : read_kernel(call)) size *= static_cast<float>(extent);
  const Tensor means = average_windows(call, power(abs(call[0]), p), CountedPads::kAll);
  return power(mul(means, Tensor::scalar(size)), 1 / p);
}

Tensor global_norm(const Call& call) {
  const Tensor& x = call[0];
  ReduceAttrs attrs{.keep_dims = true};
  for (int i = 2; i < x.rank(); ++i) attrs.axes.push_back(i);
  check_shape(!attrs.axes.empty(), "expected an input of rank 3 or more, got ", x.shape());
  const float p = read_order(call);
  return power(sum(power(abs(x), p), attrs), 1 / p);
}

/// Puts elements at the positions that MaxPool returned, and zeros elsewhere.
Tensor unpooled(const Call& call) {
  const Tensor& x = call[0];
  const WindowArgs windows = read_windows(call, spatial_extents(x), read_kernel(call));
  Shape shape{x.dim(0), x.dim(1)};
  for (int i = 0; i < windows.rank(); ++i) {
    const std::int64_t extent = std::int64_t{windows.strides[i]} * (x.dim(i + 2) - 1) + windows.kernel[i] -
                                windows.before[i] - windows.after[i];
    check_shape(extent > 0 && extent <= INT32_MAX, "the output would have the extent ", extent);
    shape.push_back(static_cast<std::int32_t>(extent));
  }
  shape.validate();
  const Tensor positions = reshape(as_indices(call[1]), {Shape{-1, 1}});
  const Tensor flat =
      scatter_nd(positions, reshape(x, {Shape{-1}}), {Shape{static_cast<std::int32_t>(shape.elements())}});
  Tensor result = reshape(flat, {shape});
  if (!has(call, 2)) return result;
  const Shape wanted = call.shape(2);
  check_shape(wanted.rank == shape.rank, "expected an output shape of rank ", shape.rank, ", got ", wanted);
  PadAttrs pads;
  for (int i = 0; i < shape.rank; ++i) {
    check_shape(wanted[i] >= shape[i], "an output of ", wanted, " is smaller than ", shape);
    pads.before.push_back(0);
    pads.after.push_back(wanted[i] - shape[i]);
  }
  return pad(result, pads);
}

constexpr Row kRows[] = {
    {"GlobalLpPool", global_norm},
    {"LpPool", norm_pooled},
    {"MaxUnpool", unpooled},
};

}  // namespace

std::span<const Row> rare_pooling_rows() { return kRows; }

}  // namespace tenure::onnx
