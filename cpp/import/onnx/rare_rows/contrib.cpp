// Ops of com.microsoft that few models have, and ops that the standard once had as experimental ones. Both
// are ops of onnxruntime (its docs/ContribOperators.md).

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "import/onnx/families.h"
#include "import/onnx/rows/activation.h"
#include "import/onnx/rows/pooling.h"
#include "model/passes/channels_last.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

void check_float(const Tensor& x) {
  check(x.dtype() == DType::kFloat32, "expected float32, got ", get_name(x.dtype()));
}

Tensor count_up(std::int32_t count) {
  return range({.step = 0, .int_step = 1, .count = count, .dtype = DType::kInt32});
}

/// The distances of all pairs of a row of A and one of B, by |a|^2 - 2ab + |b|^2.
Tensor pairwise_distances(const Call& call) {
  const std::string_view metric = call.attrs().string("metric", "sqeuclidean");
  check(metric == "euclidean" || metric == "sqeuclidean", "the metric \"", metric, "\" is not supported");
  const Tensor& a = call[0];
  const Tensor& b = call[1];
  check_shape(a.rank() == 2 && b.rank() == 2 && a.dim(1) == b.dim(1), "rows of ", a.shape(), " and ",
              b.shape(), " cannot be compared");
  const Tensor products = mat_mul(a, b, {.transpose_b = true});
  const Tensor squares = add(sum(square(a), {.axes = {1}, .keep_dims = true}), sum(square(b), {.axes = {1}}));
  const Tensor distances = maximum(sub(squares, mul(products, Tensor::scalar(2.0F))), Tensor::scalar(0.0F));
  return metric == "euclidean" ? sqrt(distances) : distances;
}

/// Crops boxes of images, whose corners are fractions of the image, and resizes them to one size.
Tensor cropped(const Call& call) {
  const Dims size = call.dims(3);
  check_shape(size.rank == 2, "expected a height and a width, got ", size.rank, " numbers");
  const std::string_view mode = call.attrs().string("mode", "bilinear");
  check(mode == "bilinear" || mode == "nearest", "the mode \"", mode, "\" is not supported");
  const Tensor crops =
      crop_and_resize(to_channels_last(call[0], true), call[1], as_indices(call[2]),
                      {.height = size[0],
                       .width = size[1],
                       .nearest = mode == "nearest",
                       .outside = static_cast<float>(call.attrs().number("extrapolation_value", 0))});
  return from_channels_last(crops, true);
}

Tensor with_axis(const Call& call) {
  const Tensor& x = call[0];
  check_shape(x.rank() < kMaxRank, "a rank of ", x.rank() + 1, " is too high");
  return expand_dims(x, {normalize_axis(call.integer(1), x.rank() + 1)});
}

/// Inverts a matrix [n, n] in `a` by elimination with partial pivoting. Overwrites `a`. The result of a
/// singular matrix is not finite.
std::vector<double> invert(std::vector<double>& a, std::size_t n) {
  std::vector<double> inverse(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) inverse[i * n + i] = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    }
    const double scale = 1 / a[pivot * n + k];
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(a[k * n + j], a[pivot * n + j]);
      std::swap(inverse[k * n + j], inverse[pivot * n + j]);
      a[k * n + j] *= scale;
      inverse[k * n + j] *= scale;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = i == k ? 0 : a[i * n + k];
      for (std::size_t j = 0; j < n; ++j) {
        a[i * n + j] -= factor * a[k * n + j];
        inverse[i * n + j] -= factor * inverse[k * n + j];
      }
    }
  }
  return inverse;
}

Tensor inverted(const Call& call) {
  const Tensor& x = call.value(0);
  check_shape(x.rank() >= 2 && x.shape().back() == x.shape().back(1), "expected square matrices, got ",
              x.shape());
  check_float(x);
  const auto n = static_cast<std::size_t>(x.shape().back());
  Tensor result({x.shape(), DType::kFloat32});
  for (std::size_t start = 0; start < x.elements(); start += n * n) {
    std::vector<double> matrix(x.data<float>() + start, x.data<float>() + start + n * n);
    const std::vector<double> inverse = invert(matrix, n);
    for (std::size_t i = 0; i < n * n; ++i)
      result.mutable_data<float>()[start + i] = static_cast<float>(inverse[i]);
  }
  return result;
}

/// An axis of images and its windows.
struct PooledAxis {
  std::int64_t extent = 1;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t before = 0;
  std::int32_t out = 1;

  std::int64_t begin(std::int32_t window) const {
    return std::max<std::int64_t>(0, window * stride - before);
  }
  std::int64_t end(std::int32_t window) const { return std::min(window * stride - before + kernel, extent); }
};

/// Returns the maximum of a window of an image, of the pixels in each row before the first whose mask is 0.
/// The first pixel of an image of several axes counts always, as in onnxruntime.
float find_masked_maximum(const float* image, const std::int32_t* mask, const std::array<PooledAxis, 3>& axes,
                          const std::array<std::int32_t, 3>& window, bool counts_first) {
  const auto& [deep, high, wide] = axes;
  float result = std::numeric_limits<float>::lowest();
  for (std::int64_t i = deep.begin(window[0]); i < deep.end(window[0]); ++i) {
    for (std::int64_t j = high.begin(window[1]); j < high.end(window[1]); ++j) {
      for (std::int64_t k = wide.begin(window[2]); k < wide.end(window[2]); ++k) {
        const std::int64_t at = (i * high.extent + j) * wide.extent + k;
        if (mask[at] == 0 && (at > 0 || !counts_first)) break;
        if (image[at] > result) result = image[at];
      }
    }
  }
  return result;
}

/// Pools images with a mask, whose batch and channels repeat if they are fewer. Dilations have no effect on
/// what a window has, as in onnxruntime.
Tensor masked_max_pooled(const Call& call) {
  const Tensor& x = call.value(0);
  const Tensor mask = as_indices(call.value(1));
  check_float(x);
  const Dims extents = spatial_extents(x);
  const int rank = extents.rank;
  check_shape(rank <= 3 && mask.rank() == x.rank() && spatial_extents(mask) == extents &&
                  (mask.elements() > 0 || x.elements() == 0),
              "a mask of ", mask.shape(), " does not fit an input of ", x.shape());
  const WindowArgs windows = read_pool(call);
  const Dims out = output_extents(windows, extents);
  std::array<PooledAxis, 3> axes;
  Shape shape{x.dim(0), x.dim(1)};
  for (int i = 0; i < rank; ++i) {
    axes[static_cast<std::size_t>(i + 3 - rank)] = {extents[i], windows.kernel[i], windows.strides[i],
                                                    windows.before[i], out[i]};
    shape.push_back(out[i]);
  }
  shape.validate();
  Tensor result({shape, DType::kFloat32});
  if (x.elements() == 0) {
    std::fill_n(result.mutable_data<float>(), result.elements(), std::numeric_limits<float>::lowest());
    return result;
  }
  const std::size_t pixels = x.shape().elements(2, x.rank());
  const std::size_t masks = mask.elements() / pixels;
  float* to = result.mutable_data<float>();
  for (std::size_t c = 0; c < x.elements() / pixels; ++c) {
    const float* image = x.data<float>() + c * pixels;
    const std::int32_t* masked = mask.data<std::int32_t>() + c % masks * pixels;
    for (std::int32_t i = 0; i < axes[0].out; ++i) {
      for (std::int32_t j = 0; j < axes[1].out; ++j) {
        for (std::int32_t k = 0; k < axes[2].out; ++k)
          *to++ = find_masked_maximum(image, masked, axes, {i, j, k}, rank > 1);
      }
    }
  }
  return result;
}

/// Sets the scores of tokens to -inf that would repeat a sequence of "ngram_size" tokens.
Tensor without_repetitions(const Call& call) {
  const Tensor tokens = as_indices(call.value(0));
  const Tensor& scores = call.value(1);
  const std::int32_t size = call.attrs().integer("ngram_size", 0);
  check_float(scores);
  check(size > 0, "attribute \"ngram_size\" is ", size);
  check_shape(tokens.rank() == 2 && scores.rank() == 2 && tokens.dim(0) == scores.dim(0), "tokens of ",
              tokens.shape(), " do not fit scores of ", scores.shape());
  Tensor result = Tensor::from(scores.values<float>(), scores.shape());
  const std::int32_t length = tokens.dim(1);
  for (std::int32_t batch = 0; batch < tokens.dim(0); ++batch) {
    const std::int32_t* row = tokens.data<std::int32_t>() + std::ptrdiff_t{batch} * length;
    for (std::int32_t i = 0; i + std::int64_t{size} <= length; ++i) {
      const std::int32_t* next = row + i + size - 1;
      if (!std::equal(row + i, next, row + length + 1 - size)) continue;
      check_shape(*next >= 0 && *next < scores.dim(1), "a token is ", *next, ", there are scores of ",
                  scores.dim(1));
      result.mutable_data<float>()[std::ptrdiff_t{batch} * scores.dim(1) + *next] =
          -std::numeric_limits<float>::infinity();
    }
  }
  return result;
}

/// Returns the slices of "size" elements along an axis, as a last axis.
Tensor unfolded(const Call& call) {
  const Tensor& x = call[0];
  const int axis = normalize_axis(call.attrs().integer("dim", -1), x.rank());
  const std::int32_t size = call.attrs().integer("size", 0);
  const std::int32_t step = call.attrs().integer("step", 1);
  check_shape(size > 0 && size <= x.dim(axis) && step > 0, "slices of ", size, " with a step of ", step,
              " do not fit axis ", axis, " of ", x.shape());
  const std::int32_t count = (x.dim(axis) - size) / step + 1;
  const Tensor starts = reshape(mul(count_up(count), Tensor::scalar(step)), {Shape{count, 1}});
  const Tensor slices = gather(x, add(starts, count_up(size)), {.axis = axis});
  PermutationAttrs order;
  for (int i = 0; i < slices.rank(); ++i) {
    if (i != axis + 1) order.perm.push_back(i);
  }
  order.perm.push_back(axis + 1);
  return transpose(slices, order);
}

/// Returns the path of the lowest sum through a matrix of costs from its first to its last element, [2,
/// steps].
Tensor warped_path(const Call& call) {
  const Tensor& given = call.value(0);
  check_shape((given.rank() == 2 || (given.rank() == 3 && given.dim(0) == 1)) && given.elements() > 0,
              "expected a matrix, got ", given.shape());
  check_float(given);
  const std::span<const float> costs = given.values<float>();
  const auto rows = static_cast<std::size_t>(given.shape().back(1));
  const auto columns = static_cast<std::size_t>(given.shape().back());
  const std::size_t width = columns + 1;
  std::vector<float> sums((rows + 1) * width, std::numeric_limits<float>::infinity());
  sums[0] = 0;
  enum Step : std::uint8_t { kBoth, kRow, kColumn };
  std::vector<std::uint8_t> steps((rows + 1) * width, kRow);
  std::fill_n(steps.begin(), width, kColumn);
  for (std::size_t j = 1; j <= columns; ++j) {
    for (std::size_t i = 1; i <= rows; ++i) {
      const float both = sums[(i - 1) * width + j - 1];
      const float row = sums[(i - 1) * width + j];
      const float column = sums[i * width + j - 1];
      Step step = kColumn;
      if (both < row && both < column) step = kBoth;
      if (row < both && row < column) step = kRow;
      const float before = step == kBoth ? both : step == kRow ? row : column;
      sums[i * width + j] = costs[(i - 1) * columns + j - 1] + before;
      steps[i * width + j] = step;
    }
  }
  std::vector<std::int32_t> path_rows;
  std::vector<std::int32_t> path_columns;
  for (std::size_t i = rows, j = columns; i > 0 || j > 0;) {
    path_rows.push_back(static_cast<std::int32_t>(i) - 1);
    path_columns.push_back(static_cast<std::int32_t>(j) - 1);
    const std::uint8_t step = steps[i * width + j];
    if (step != kColumn) --i;
    if (step != kRow) --j;
  }
  Tensor path({{2, static_cast<std::int32_t>(path_rows.size())}, DType::kInt32});
  std::copy(path_rows.rbegin(), path_rows.rend(), path.mutable_data<std::int32_t>());
  std::copy(path_columns.rbegin(), path_columns.rend(),
            path.mutable_data<std::int32_t>() + path_columns.size());
  return path;
}

/// An op of the standard, whose row reads the version that the reader gives to nodes of com.microsoft.
template <bool is_pad>
Tensor as_standard(const Call& call) {
  return find_row("", is_pad ? "Pad" : "GatherND")->one(call);
}

constexpr Row kContribRows[] = {
    {"CDist", pairwise_distances},
    {"CropAndResize", cropped},
    {"DynamicTimeWarping", warped_path},
    {"ExpandDims", with_axis},
    {"GatherND", as_standard<false>},
    {"Inverse", inverted},
    {"MaxpoolWithMask", masked_max_pooled},
    {"NGramRepeatBlock", without_repetitions},
    {"Pad", as_standard<true>},
    {"UnfoldTensor", unfolded},
};

float number(const Call& call, std::string_view name, double otherwise) {
  return static_cast<float>(call.attrs().number(name, otherwise));
}

/// An activation of recurrent layers as an op.
Tensor activated(const Call& call) {
  Activation how = get_activation(call.node().op);
  how.alpha = number(call, "alpha", how.alpha);
  how.beta = number(call, "beta", how.beta);
  return activate(call[0], how);
}

Tensor scaled(const Call& call) { return mul(call[0], Tensor::scalar(number(call, "scale", 1))); }

/// Scales images, and adds a bias to each channel.
Tensor scaled_image(const Call& call) {
  const std::span<const double> list = call.attrs().numbers("bias");
  const std::vector<float> biases(list.begin(), list.end());
  const Tensor bias =
      Tensor::from(std::span<const float>(biases), {static_cast<std::int32_t>(biases.size()), 1, 1});
  check_shape(call[0].rank() == 4 && call[0].dim(1) == bias.dim(0), "attribute \"bias\" has ", bias.dim(0),
              " numbers for an input of ", call[0].shape());
  return add(scaled(call), bias);
}

/// Removes the border of images: left, top, right and bottom; or keeps a height and a width after the first
/// two.
Tensor without_border(const Call& call) {
  const Tensor& x = call[0];
  const std::vector<std::int32_t> border = call.attrs().integers("border");
  const std::vector<std::int32_t> scale = call.attrs().integers("scale");
  check_shape(x.rank() == 4 && border.size() == 4 && (scale.empty() || scale.size() == 2),
              "attributes \"border\" and \"scale\" have ", border.size(), " and ", scale.size(),
              " numbers for an input of ", x.shape());
  for (const std::int32_t side : border) check_shape(side >= 0, "it has a border of ", side);
  const auto extent = [&](int axis, std::size_t first) {
    const std::int64_t kept = scale.empty() ? std::int64_t{x.dim(axis)} - border[first] - border[first + 2]
                                            : scale[static_cast<std::size_t>(axis) - 2];
    check_shape(kept > 0 && kept + border[first] <= x.dim(axis), "its border does not fit an input of ",
                x.shape());
    return static_cast<std::int32_t>(kept);
  };
  return slice(x, {Dims{0, 0, border[1], border[0]}, Dims{x.dim(0), x.dim(1), extent(2, 1), extent(3, 0)}});
}

constexpr Row kRows[] = {
    {"Affine", activated},
    {"Crop", without_border},
    {"ImageScaler", scaled_image},
    {"ParametricSoftplus", activated},
    {"Scale", scaled},
    {"ScaledTanh", activated},
};

}  // namespace

std::span<const Row> rare_contrib_rows() { return kContribRows; }
std::span<const Row> former_rows() { return kRows; }

}  // namespace tenure::onnx
