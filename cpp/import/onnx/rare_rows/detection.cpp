// Ops of object detection, computed on the CPU: their results depend on values.

#include <algorithm>
#include <cmath>

#include "import/onnx/families.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::onnx {
namespace {

/// Returns boxes [x, y, width, height] around centers as [y, x] of two corners.
Tensor from_centers(const Tensor& boxes) {
  const Tensors parts = split(boxes, {.sizes = std::vector<std::int32_t>{1, 1, 1, 1}, .axis = 1});
  const auto edge = [&](std::size_t center, std::size_t extent, float side) {
    return add(parts[center], mul(parts[extent], Tensor::scalar(side)));
  };
  return concat({edge(1, 3, -0.5F), edge(0, 2, -0.5F), edge(1, 3, 0.5F), edge(0, 2, 0.5F)}, {1});
}

/// Returns [n, 3]: batch, class and box of each box that is kept.
Tensor suppressed(const Call& call) {
  const Tensor& boxes = call.value(0);
  const Tensor& scores = call.value(1);
  check_shape(boxes.rank() == 3 && boxes.dim(2) == 4 && scores.rank() == 3 && scores.dim(0) == boxes.dim(0) &&
                  scores.dim(2) == boxes.dim(1),
              "scores of ", scores.shape(), " do not fit boxes of ", boxes.shape());
  if (boxes.elements() == 0) return Tensor({{0, 3}, DType::kInt32});
  SuppressionAttrs attrs{.max_output_size = has(call, 2) ? call.integer(2) : 0,
                         .iou_threshold = has(call, 3) ? call.number(3) : 0};
  check(attrs.iou_threshold >= 0 && attrs.iou_threshold <= 1, "its threshold of overlap is ",
        attrs.iou_threshold, ", outside of [0, 1]");
  // ONNX drops boxes that overlap by more than the threshold, the kernel those that overlap by as much, too.
  attrs.iou_threshold = std::min(std::nextafter(attrs.iou_threshold, 2.0F), 1.0F);
  if (has(call, 4)) attrs.score_threshold = call.number(4);
  std::vector<std::int32_t> found;
  for (std::int32_t batch = 0; batch < boxes.dim(0); ++batch) {
    const Tensor all = reshape(slice(boxes, {{batch, 0, 0}, {1, boxes.dim(1), 4}}), {Shape{-1, 4}});
    const Tensor corners = call.attrs().flag("center_point_box") ? from_centers(all) : all;
    for (std::int32_t group = 0; group < scores.dim(1); ++group) {
      const Tensor own = reshape(slice(scores, {{batch, group, 0}, {1, 1, scores.dim(2)}}), {Shape{-1}});
      const Tensor kept = non_max_suppression(corners, own, attrs)[0];
      for (const std::int32_t box : kept.values<std::int32_t>()) {
        for (const std::int32_t value : {batch, group, box}) found.push_back(value);
      }
    }
  }
  return reshape(tensor1d(found), {Shape{static_cast<std::int32_t>(found.size() / 3), 3}});
}

/// The samples of one bin of a region.
struct Bin {
  float y;
  float x;
  float height;
  float width;
  std::int32_t rows;
  std::int32_t columns;
};

/// Position of a sample between pixels, along one axis.
struct Between {
  std::int32_t low;
  std::int32_t high;
  float fraction;
};

Between locate(float at, std::int32_t extent) {
  at = std::max(at, 0.0F);
  const auto low = static_cast<std::int32_t>(at);
  if (low >= extent - 1) return {extent - 1, extent - 1, 0};
  return {low, low + 1, at - static_cast<float>(low)};
}

/// Returns the mean, or the largest weighted pixel, of the samples of a bin.
float pool_bin(const float* image, std::int32_t height, std::int32_t width, const Bin& bin, bool is_max) {
  float result = 0;
  bool is_first = true;
  for (std::int32_t i = 0; i < bin.rows; ++i) {
    const float y = bin.y + (static_cast<float>(i) + 0.5F) * bin.height / static_cast<float>(bin.rows);
    for (std::int32_t j = 0; j < bin.columns; ++j) {
      const float x = bin.x + (static_cast<float>(j) + 0.5F) * bin.width / static_cast<float>(bin.columns);
      float samples[4] = {};
      if (y >= -1 && y <= static_cast<float>(height) && x >= -1 && x <= static_cast<float>(width)) {
        const Between rows = locate(y, height);
        const Between columns = locate(x, width);
        const auto pixel = [&](std::int32_t row, std::int32_t column) { return image[row * width + column]; };
        samples[0] = (1 - rows.fraction) * (1 - columns.fraction) * pixel(rows.low, columns.low);
        samples[1] = (1 - rows.fraction) * columns.fraction * pixel(rows.low, columns.high);
        samples[2] = rows.fraction * (1 - columns.fraction) * pixel(rows.high, columns.low);
        samples[3] = rows.fraction * columns.fraction * pixel(rows.high, columns.high);
      }
      if (is_max) {
        const float most = *std::max_element(std::begin(samples), std::end(samples));
        result = is_first ? most : std::max(result, most);
      } else {
        result += samples[0] + samples[1] + samples[2] + samples[3];
      }
      is_first = false;
    }
  }
  const std::int32_t count = std::max(1, bin.rows * bin.columns);
  return is_max ? result : result / static_cast<float>(count);
}

/// Pools regions of images: [regions, channels, output_height, output_width].
Tensor aligned_regions(const Call& call) {
  const Tensor& x = call.value(0);
  const Tensor& regions = call.value(1);
  const std::vector<std::int32_t> batches = call.integers(2);
  check_shape(x.rank() == 4 && regions.rank() == 2 && regions.dim(1) == 4 &&
                  batches.size() == static_cast<std::size_t>(regions.dim(0)),
              "regions of ", regions.shape(), " and ", batches.size(), " batch indices do not fit ",
              x.shape());
  check(x.dtype() == DType::kFloat32 && regions.dtype() == DType::kFloat32, "expected float32");
  const auto positive = [&](std::string_view name, std::int32_t otherwise) {
    const std::int32_t value = call.attrs().integer(name, otherwise);
    check(value >= otherwise, "attribute \"", name, "\" is ", value);
    return value;
  };
  const std::int32_t out_height = positive("output_height", 1);
  const std::int32_t out_width = positive("output_width", 1);
  const std::int32_t ratio = positive("sampling_ratio", 0);
  check(ratio < 1 << 8, "attribute \"sampling_ratio\" is ", ratio);
  const auto scale = static_cast<float>(call.attrs().number("spatial_scale", 1));
  const bool is_half = opset(call) >= 16 &&
                       call.attrs().string("coordinate_transformation_mode", "half_pixel") == "half_pixel";
  const bool is_max = call.attrs().string("mode", "avg") == "max";
  const float shift = is_half ? 0.5F : 0.0F;
  const std::int32_t height = x.dim(2);
  const std::int32_t width = x.dim(3);
  Tensor result({{regions.dim(0), x.dim(1), out_height, out_width}, DType::kFloat32});
  float* to = result.mutable_data<float>();
  for (std::int32_t r = 0; r < regions.dim(0); ++r) {
    const float* box = regions.data<float>() + 4 * static_cast<std::size_t>(r);
    const std::int32_t batch = batches[static_cast<std::size_t>(r)];
    check_shape(batch >= 0 && batch < x.dim(0), "region ", r, " is of image ", batch, " of ", x.dim(0));
    const float left = box[0] * scale - shift;
    const float top = box[1] * scale - shift;
    float region_width = box[2] * scale - shift - left;
    float region_height = box[3] * scale - shift - top;
    if (!is_half) {
      region_width = std::max(region_width, 1.0F);
      region_height = std::max(region_height, 1.0F);
    }
    const float bin_height = region_height / static_cast<float>(out_height);
    const float bin_width = region_width / static_cast<float>(out_width);
    // No more samples than pixels: boxes may have any size.
    const auto samples = [&](float extent, std::int32_t most) {
      if (std::isnan(extent)) return 0;
      return ratio > 0 ? ratio
                       : static_cast<std::int32_t>(
                             std::clamp(std::ceil(extent), 0.0F, 2.0F * static_cast<float>(most)));
    };
    for (std::int32_t c = 0; c < x.dim(1); ++c) {
      const float* image =
          x.data<float>() + (static_cast<std::size_t>(batch) * static_cast<std::size_t>(x.dim(1)) +
                             static_cast<std::size_t>(c)) *
                                static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
      for (std::int32_t i = 0; i < out_height; ++i) {
        for (std::int32_t j = 0; j < out_width; ++j) {
          const Bin bin{top + static_cast<float>(i) * bin_height,
                        left + static_cast<float>(j) * bin_width,
                        bin_height,
                        bin_width,
                        samples(bin_height, height),
                        samples(bin_width, width)};
          *to++ = pool_bin(image, height, width, bin, is_max);
        }
      }
    }
  }
  return result;
}

constexpr Row kRows[] = {
    {"NonMaxSuppression", suppressed},
    {"RoiAlign", aligned_regions},
};

}  // namespace

std::span<const Row> detection_rows() { return kRows; }

}  // namespace tenure::onnx
