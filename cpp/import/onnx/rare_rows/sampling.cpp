// GridSample: reads images at positions that the model computes.

#include <cmath>

#include "import/onnx/families.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

enum class Edge { kZeros, kBorder, kReflection };

struct Sampling {
  bool aligns_corners;
  Edge edge;
  std::string_view mode;
};

/// A pixel of each sample along one axis: its index, and its weight if it is interpolated.
struct Tap {
  Tensor index;  ///< [batch, samples], float32
  Tensor weight;
};

Tensor plus(const Tensor& x, float value) { return add(x, Tensor::scalar(value)); }
Tensor times(const Tensor& x, float value) { return mul(x, Tensor::scalar(value)); }

/// Mirrors positions at the edges until they are inside.
Tensor reflect(const Tensor& x, std::int32_t extent, bool aligns_corners) {
  const float low = aligns_corners ? 0 : -0.5F;
  const float size = static_cast<float>(aligns_corners ? extent - 1 : extent);
  if (size == 0) return times(x, 0);
  const Tensor at = mod(plus(x, -low), Tensor::scalar(2 * size));
  return plus(neg(abs(plus(at, -size))), low + size);
}

/// Returns the index of a pixel that exists, and the weight that it has.
Tap clamp_to_edge(Tap tap, std::int32_t extent, const Sampling& how) {
  const auto last = static_cast<float>(extent - 1);
  if (how.edge == Edge::kReflection) tap.index = round(reflect(tap.index, extent, how.aligns_corners));
  if (how.edge == Edge::kZeros) {
    const Tensor inside = logical_and(greater_equal(tap.index, Tensor::scalar(0.0F)),
                                      less_equal(tap.index, Tensor::scalar(last)));
    const Tensor weight = cast(inside, {DType::kFloat32});
    tap.weight = tap.weight ? mul(tap.weight, weight) : weight;
  }
  tap.index = clip_by_value(tap.index, {.min = 0, .max = last});
  return tap;
}

/// Returns the weight of a pixel at a distance in [0, 1], and in [1, 2], by Keys's cubic convolution.
constexpr float kCubic = -0.75F;
Tensor near_weight(const Tensor& d) {
  return plus(mul(mul(plus(times(d, kCubic + 2), -(kCubic + 3)), d), d), 1);
}
Tensor far_weight(const Tensor& d) {
  return plus(mul(plus(mul(plus(times(d, kCubic), -5 * kCubic), d), 8 * kCubic), d), -4 * kCubic);
}

/// Returns the taps of normalized positions along one axis.
std::vector<Tap> find_taps(const Tensor& grid, std::int32_t extent, const Sampling& how) {
  const auto size = static_cast<float>(extent);
  Tensor at = how.aligns_corners ? times(plus(grid, 1), (size - 1) / 2)
                                 : times(plus(times(plus(grid, 1), size), -1), 0.5F);
  const bool is_cubic = how.mode == "cubic" || how.mode == "bicubic";
  // Cubic samples treat the edge for each of their pixels.
  if (!is_cubic && how.edge == Edge::kReflection) at = reflect(at, extent, how.aligns_corners);
  if (!is_cubic && how.edge == Edge::kBorder) at = clip_by_value(at, {.min = 0, .max = size - 1});
  std::vector<Tap> taps;
  if (how.mode == "nearest") {
    taps = {{round(at), {}}};
  } else {
    const Tensor low = floor(at);
    const Tensor fraction = sub(at, low);
    const Tensor rest = plus(neg(fraction), 1);
    if (is_cubic) {
      taps = {{plus(low, -1), far_weight(plus(fraction, 1))},
              {low, near_weight(fraction)},
              {plus(low, 1), near_weight(rest)},
              {plus(low, 2), far_weight(plus(rest, 1))}};
    } else {
      check(how.mode == "linear" || how.mode == "bilinear", "the mode \"", how.mode, "\" is not supported");
      taps = {{low, rest}, {plus(low, 1), fraction}};
    }
  }
  for (Tap& tap : taps) tap = clamp_to_edge(tap, extent, how);
  return taps;
}

Tensor sampled_at_grid(const Call& call) {
  const Tensor& x = call[0];
  const Tensor& grid = call[1];
  const int axes = x.rank() - 2;
  check_shape(axes >= 1 && axes <= 3 && grid.rank() == x.rank() && grid.dim(0) == x.dim(0) &&
                  grid.shape().back() == axes,
              "a grid of ", grid.shape(), " does not fit ", x.shape());
  const std::string_view edge = call.attrs().string("padding_mode", "zeros");
  check(edge == "zeros" || edge == "border" || edge == "reflection", "attribute \"padding_mode\" is \"", edge,
        "\"");
  const Sampling how{call.attrs().flag("align_corners"),
                     edge == "zeros"    ? Edge::kZeros
                     : edge == "border" ? Edge::kBorder
                                        : Edge::kReflection,
                     call.attrs().string("mode", "linear")};
  const std::int32_t batch = x.dim(0);
  const auto samples = static_cast<std::int32_t>(grid.shape().elements(1, grid.rank() - 1));
  const auto pixels = static_cast<std::int32_t>(x.shape().elements(2, x.rank()));
  // [batch, pixels, channels], so that a pixel's channels are gathered together.
  const Tensor images = transpose(reshape(x, {Shape{batch, x.dim(1), pixels}}), {Dims{0, 2, 1}});
  const Tensors positions = unstack(reshape(grid, {Shape{batch, samples, axes}}), {2});
  // Combinations of the taps of all axes. The grid's first number is the position along the last axis.
  std::vector<Tap> taps = {{Tensor(), Tensor()}};
  for (int i = 0; i < axes; ++i) {
    const std::int32_t extent = x.dim(2 + i);
    std::vector<Tap> next;
    const std::vector<Tap> own = find_taps(positions[static_cast<std::size_t>(axes - 1 - i)], extent, how);
    for (const Tap& one : taps) {
      for (const Tap& other : own) {
        Tap joined = other;
        if (one.index) joined.index = add(times(one.index, static_cast<float>(extent)), other.index);
        if (one.weight) joined.weight = joined.weight ? mul(one.weight, joined.weight) : one.weight;
        next.push_back(joined);
      }
    }
    taps = next;
  }
  Tensor result;
  for (const Tap& tap : taps) {
    Tensor part = gather(images, cast(tap.index, {DType::kInt32}), {.axis = 1, .batch_dims = 1});
    if (tap.weight) part = mul(part, expand_dims(tap.weight, {2}));
    result = result ? add(result, part) : part;
  }
  Shape shape{batch, x.dim(1)};
  for (int i = 1; i + 1 < grid.rank(); ++i) shape.push_back(grid.dim(i));
  return reshape(transpose(result, {Dims{0, 2, 1}}), {shape});
}

constexpr Row kRows[] = {{"GridSample", sampled_at_grid}};

}  // namespace

std::span<const Row> sampling_rows() { return kRows; }

}  // namespace tenure::onnx
