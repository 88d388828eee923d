// Resize by products with weights of the pixels.

#include <algorithm>
#include <cmath>

#include "import/onnx/rows/resize.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Returns the weight of a pixel at a distance, in pixels.
double weigh(double distance, const Resizing& how) {
  const double d = std::abs(distance);
  if (how.mode == "linear") return std::max(0.0, 1 - d);
  const double a = how.cubic;
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

/// Returns the weights of the input's pixels, [in, out].
Tensor make_weights(const ResizedAxis& axis, const Resizing& how) {
  Tensor weights = Tensor({{axis.in, axis.out}, DType::kFloat32});
  float* to = weights.mutable_data<float>();
  std::fill_n(to, weights.elements(), 0.0F);
  const double stretch = how.antialiases ? std::max(1.0, 1 / axis.scale) : 1;
  const double reach = (how.mode == "linear" ? 1 : 2) * stretch;
  for (std::int32_t i = 0; i < axis.out; ++i) {
    const double at = to_input(axis, how.coordinates, i);
    if (is_outside(at, axis, how)) continue;
    double total = 0;
    const auto each_tap = [&](auto use) {
      const auto first = static_cast<std::int64_t>(std::floor(at - reach)) + 1;
      for (std::int64_t k = first; static_cast<double>(k) < at + reach; ++k) {
        if (how.excludes_outside && (k < 0 || k >= axis.in)) continue;
        use(static_cast<std::size_t>(std::clamp<std::int64_t>(k, 0, axis.in - 1)),
            weigh((static_cast<double>(k) - at) / stretch, how));
      }
    };
    each_tap([&](std::size_t, double weight) { total += weight; });
    each_tap([&](std::size_t k, double weight) {
      to[k * static_cast<std::size_t>(axis.out) + static_cast<std::size_t>(i)] +=
          static_cast<float>(weight / total);
    });
  }
  return weights;
}

}  // namespace

Tensor weigh_axis(const Tensor& x, int at, const ResizedAxis& axis, const Resizing& how) {
  const Tensor weights = make_weights(axis, how);
  PermutationAttrs swapped;
  for (int i = 0; i < x.rank(); ++i) swapped.perm.push_back(i);
  std::swap(swapped.perm[at], swapped.perm.back());
  const bool is_last = at == x.rank() - 1;
  const Tensor moved = is_last ? x : transpose(x, swapped);
  Shape shape = moved.shape();
  const Tensor rows = reshape(moved, {Shape{-1, weights.dim(0)}});
  shape.back() = weights.dim(1);
  const Tensor product = reshape(mat_mul(rows, weights), {shape});
  return is_last ? product : transpose(product, swapped);
}

}  // namespace tenure::onnx
