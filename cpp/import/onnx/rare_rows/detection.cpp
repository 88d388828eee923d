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
struct Lerp {
  std::int32_t low;
  std::int32_t high;
  float fraction;
};

Lerp locate(float at, std::int32_t extent) {
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
        const Lerp rows = locate(y, height);
        const Lerp columns = locate(x, width);
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

struct RoiAlignAttrs {
  std::int32_t out_height;
  std::int32_t out_width;
  std::int32_t ratio;
  float scale;
  bool is_half_pixel;
  bool is_max;
};

RoiAlignAttrs read_roi_align(const Call& call) {
  const auto at_least = [&](std::string_view name, std::int32_t least) {
    const std::int32_t value = call.attrs().integer(name, least);
    check(value >= least, "attribute \"", name, "\" is ", value);
    return value;
  };
  const RoiAlignAttrs attrs{
      .out_height = at_least("output_height", 1),
      .out_width = at_least("output_width", 1),
      .ratio = at_least("sampling_ratio", 0),
      .scale = static_cast<float>(call.attrs().number("spatial_scale", 1)),
      .is_half_pixel = opset(call) >= 16 &&
                       call.attrs().string("coordinate_transformation_mode", "half_pixel") == "half_pixel",
      .is_max = call.attrs().string("mode", "avg") == "max",
  };
  check(attrs.ratio < 1 << 8, "attribute \"sampling_ratio\" is ", attrs.ratio);
  return attrs;
}

/// Returns the first bin of a region of an image.
Bin first_bin(const RoiAlignAttrs& attrs, const float* box, std::int32_t height, std::int32_t width) {
  const float shift = attrs.is_half_pixel ? 0.5F : 0.0F;
  const auto extent = [&](int low, int high) {
    const float size = box[high] * attrs.scale - box[low] * attrs.scale;
    return attrs.is_half_pixel ? size : std::max(size, 1.0F);
  };
  // Boxes may have any size, and time for their samples is bounded.
  const auto samples = [&](float size, std::int32_t pixels) {
    if (std::isnan(size)) return 0;
    if (attrs.ratio > 0) return attrs.ratio;
    return static_cast<std::int32_t>(
        std::clamp(std::ceil(size), 0.0F, 256 + 2.0F * static_cast<float>(pixels)));
  };
  const float bin_height = extent(1, 3) / static_cast<float>(attrs.out_height);
  const float bin_width = extent(0, 2) / static_cast<float>(attrs.out_width);
  return {box[1] * attrs.scale - shift, box[0] * attrs.scale - shift, bin_height, bin_width,
          samples(bin_height, height),  samples(bin_width, width)};
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
  const RoiAlignAttrs attrs = read_roi_align(call);
  const std::int32_t height = x.dim(2);
  const std::int32_t width = x.dim(3);
  const std::size_t image_size = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  check_shape(image_size > 0, "images of ", x.shape(), " have no pixels");
  Tensor result({{regions.dim(0), x.dim(1), attrs.out_height, attrs.out_width}, DType::kFloat32});
  float* to = result.mutable_data<float>();
  for (std::int32_t r = 0; r < regions.dim(0); ++r) {
    const std::int32_t batch = batches[static_cast<std::size_t>(r)];
    check_shape(batch >= 0 && batch < x.dim(0), "region ", r, " is of image ", batch, " of ", x.dim(0));
    const Bin first =
        first_bin(attrs, regions.data<float>() + 4 * static_cast<std::size_t>(r), height, width);
    const float* image =
        x.data<float>() + static_cast<std::size_t>(batch) * static_cast<std::size_t>(x.dim(1)) * image_size;
    for (std::int32_t c = 0; c < x.dim(1); ++c, image += image_size) {
      for (std::int32_t i = 0; i < attrs.out_height; ++i) {
        for (std::int32_t j = 0; j < attrs.out_width; ++j) {
          Bin bin = first;
          bin.y += static_cast<float>(i) * bin.height;
          bin.x += static_cast<float>(j) * bin.width;
          *to++ = pool_bin(image, height, width, bin, attrs.is_max);
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
