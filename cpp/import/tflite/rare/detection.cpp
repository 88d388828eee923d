// Boxes of object detection: NON_MAX_SUPPRESSION, and TFLite_Detection_PostProcess, which decodes them, too.
// They run on the CPU, because what they keep depends on values.

#include <algorithm>

#include "core/heap_sort.h"
#include "import/tflite/families.h"
#include "import/tflite/rare/custom_options.h"
#include "import/tflite/rare/flexbuffer.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr std::int32_t kMaxDetections = 1 << 20;

struct Box {
  float top = 0;
  float left = 0;
  float bottom = 0;
  float right = 0;
};

struct Detection {
  std::size_t anchor;
  std::int32_t label;
  float score;
};

struct Options {
  std::int32_t max_detections;
  std::int32_t labels_per_detection;
  std::int32_t detections_per_label;
  std::int32_t labels;
  bool is_regular;
  float min_score;
  float max_overlap;
};

Options read_options(const Attributes& attrs) {
  const auto count = [&](std::string_view name, std::int32_t otherwise) {
    const std::int32_t value = attrs.integer(name, otherwise);
    check(value > 0 && value <= kMaxDetections, "its ", name, " is ", value);
    return value;
  };
  const Options options{count("max_detections", 0),
                        count("max_classes_per_detection", 1),
                        count("detections_per_class", 100),
                        count("num_classes", 0),
                        attrs.integer("use_regular_nms", 0) != 0,
                        static_cast<float>(attrs.number("nms_score_threshold", 0)),
                        static_cast<float>(attrs.number("nms_iou_threshold", 0))};
  check(std::int64_t{options.max_detections} * options.labels_per_detection <= kMaxDetections, "it has ",
        options.max_detections, " detections of ", options.labels_per_detection, " classes");
  return options;
}

/// Decodes boxes, [y, x, height, width] in units of their anchors.
std::vector<Box> decode_boxes(const Tensor& encoded, const Tensor& anchors, const Attributes& attrs) {
  const auto scale = [&](std::string_view name) { return static_cast<float>(attrs.number(name, 1)); };
  const Tensor scales =
      Tensor::from({scale("y_scale"), scale("x_scale"), scale("h_scale"), scale("w_scale")}, {4});
  const Tensor scaled = div(encoded, scales);
  const Tensor powers = exp(scaled);
  const std::span<const float> offsets = scaled.values<float>();
  const std::span<const float> extents = powers.values<float>();
  const std::span<const float> around = anchors.values<float>();
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < around.size(); i += 4) {
    const float y = offsets[i] * around[i + 2] + around[i];
    const float x = offsets[i + 1] * around[i + 3] + around[i + 1];
    const float half_height = 0.5F * extents[i + 2] * around[i + 2];
    const float half_width = 0.5F * extents[i + 3] * around[i + 3];
    boxes.push_back({y - half_height, x - half_width, y + half_height, x + half_width});
  }
  return boxes;
}

float overlap(const Box& a, const Box& b) {
  const auto area = [](const Box& box) { return (box.bottom - box.top) * (box.right - box.left); };
  if (area(a) <= 0 || area(b) <= 0) return 0;
  const float height = std::max(0.0F, std::min(a.bottom, b.bottom) - std::max(a.top, b.top));
  const float width = std::max(0.0F, std::min(a.right, b.right) - std::max(a.left, b.left));
  return height * width / (area(a) + area(b) - height * width);
}

/// Sorts by descending scores, those of equal scores by anchors and classes.
void sort_by_score(std::vector<Detection>& detections) {
  heap_sort(detections, [](const Detection& a, const Detection& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.anchor != b.anchor ? a.anchor < b.anchor : a.label < b.label;
  });
}

/// Returns the best of the detections that do not overlap better ones too much, in order.
std::vector<Detection> suppress(std::vector<Detection> detections, const std::vector<Box>& boxes,
                                const Options& options, std::int32_t max_boxes) {
  std::erase_if(detections, [&](const Detection& one) { return !(one.score >= options.min_score); });
  sort_by_score(detections);
  std::vector<Detection> kept;
  for (const Detection& one : detections) {
    if (kept.size() == static_cast<std::size_t>(max_boxes)) break;
    const bool is_free = std::none_of(kept.begin(), kept.end(), [&](const Detection& better) {
      return overlap(boxes[one.anchor], boxes[better.anchor]) > options.max_overlap;
    });
    if (is_free) kept.push_back(one);
  }
  return kept;
}

/// Suppresses boxes whatever their classes are, and returns the best classes of those that are kept.
std::vector<Detection> find_by_best_label(std::span<const float> scores, std::size_t width,
                                          const std::vector<Box>& boxes, const Options& options) {
  const std::size_t first = width - static_cast<std::size_t>(options.labels);
  const auto score = [&](std::size_t anchor, std::int32_t label) {
    return scores[anchor * width + first + static_cast<std::size_t>(label)];
  };
  std::vector<Detection> best;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    Detection one{i, 0, score(i, 0)};
    for (std::int32_t label = 1; label < options.labels; ++label) {
      if (score(i, label) > one.score) one = {i, label, score(i, label)};
    }
    best.push_back(one);
  }
  std::vector<Detection> all;
  for (const Detection& one : suppress(std::move(best), boxes, options, options.max_detections)) {
    std::vector<Detection> labels;
    labels.reserve(static_cast<std::size_t>(options.labels));
    for (std::int32_t label = 0; label < options.labels; ++label)
      labels.push_back({one.anchor, label, score(one.anchor, label)});
    sort_by_score(labels);
    labels.resize(static_cast<std::size_t>(options.labels_per_detection), {one.anchor, 0, 0});
    all.insert(all.end(), labels.begin(), labels.end());
  }
  return all;
}

/// Suppresses the boxes of each class, and returns the best of all.
std::vector<Detection> find_by_label(std::span<const float> scores, std::size_t width,
                                     const std::vector<Box>& boxes, const Options& options) {
  const std::size_t first = width - static_cast<std::size_t>(options.labels);
  std::vector<Detection> all;
  for (std::int32_t label = 0; label < options.labels; ++label) {
    std::vector<Detection> own;
    own.reserve(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
      own.push_back({i, label, scores[i * width + first + static_cast<std::size_t>(label)]});
    const std::vector<Detection> kept =
        suppress(std::move(own), boxes, options, options.detections_per_label);
    all.insert(all.end(), kept.begin(), kept.end());
    sort_by_score(all);
    if (all.size() > static_cast<std::size_t>(options.max_detections))
      all.resize(static_cast<std::size_t>(options.max_detections), {0, 0, 0});
  }
  return all;
}

/// Returns boxes, classes, scores and the number of the detections, the first three padded with zeros.
EdgeValues detected(const Call& call) {
  const Tensor& encoded = call.value(0);
  const Tensor& scores = call.value(1);
  const Tensor& anchors = call.value(2);
  const Attributes attrs = read_flexbuffer(read_option_bytes(call));
  const Options options = read_options(attrs);
  check_shape(anchors.rank() == 2 && anchors.dim(1) == 4 && encoded.rank() == 3 && encoded.dim(0) == 1 &&
                  encoded.dim(1) == anchors.dim(0) && encoded.dim(2) >= 4 && scores.rank() == 3 &&
                  scores.dim(0) == 1 && scores.dim(1) == anchors.dim(0) && scores.dim(2) >= options.labels,
              "boxes of ", encoded.shape(), ", scores of ", scores.shape(), " of ", options.labels,
              " classes and anchors of ", anchors.shape(), " do not fit");
  for (const Tensor* x : {&encoded, &scores, &anchors})
    check(x->dtype() == DType::kFloat32, "expected float32, got ", get_name(x->dtype()));
  // Keypoints may follow the four numbers of a box.
  const Tensor corners_only = slice(encoded, {{0, 0, 0}, {1, anchors.dim(0), 4}});
  const std::vector<Box> boxes = decode_boxes(corners_only, anchors, attrs);
  const auto width = static_cast<std::size_t>(scores.dim(2));
  const std::vector<Detection> found =
      options.is_regular ? find_by_label(scores.values<float>(), width, boxes, options)
                         : find_by_best_label(scores.values<float>(), width, boxes, options);
  const std::int32_t per_box = options.is_regular ? 1 : options.labels_per_detection;
  const std::int32_t count = options.max_detections * options.labels_per_detection;
  Tensor corners({{1, count, 4}, DType::kFloat32});
  Tensor labels({{1, count}, DType::kFloat32});
  Tensor values({{1, count}, DType::kFloat32});
  float* corner = corners.mutable_data<float>();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const Detection one = i < found.size() ? found[i] : Detection{0, 0, 0};
    const Box box = i < found.size() ? boxes[one.anchor] : Box();
    for (const float side : {box.top, box.left, box.bottom, box.right}) *corner++ = side;
    labels.mutable_data<float>()[i] = static_cast<float>(one.label);
    values.mutable_data<float>()[i] = one.score;
  }
  const std::size_t rows = found.size() / static_cast<std::size_t>(per_box);
  const auto number = static_cast<float>(rows);
  return {corners, labels, values, Tensor::from({number}, {1})};
}

/// Pads a vector with zeros to `count` elements.
Tensor pad_to(const Tensor& x, std::int32_t count) {
  return pad(x, {.before = {0}, .after = {std::max(0, count - x.dim(0))}});
}

/// Returns the boxes that are kept, padded with zeros, and their number.
EdgeValues non_max_suppression_v4(const Call& call) {
  const std::int32_t max_boxes = call.integer(2);
  check(max_boxes >= 0 && max_boxes <= 1 << 24, "it keeps ", max_boxes, " boxes");
  const Tensors found = non_max_suppression(
      call.value(0), call.value(1),
      {.max_output_size = max_boxes, .iou_threshold = call.number(3), .score_threshold = call.number(4)});
  return {pad_to(found[0], max_boxes), Tensor::scalar(found[0].dim(0))};
}

/// Returns the boxes that are kept and their scores, padded with zeros, and their number.
EdgeValues non_max_suppression_v5(const Call& call) {
  const std::int32_t max_boxes = call.integer(2);
  check(max_boxes >= 0 && max_boxes <= 1 << 24, "it keeps ", max_boxes, " boxes");
  const Tensors found = non_max_suppression(call.value(0), call.value(1),
                                            {.max_output_size = max_boxes,
                                             .iou_threshold = call.number(3),
                                             .score_threshold = call.number(4),
                                             .soft_sigma = call.number(5)});
  return {pad_to(found[0], max_boxes), pad_to(found[1], max_boxes), Tensor::scalar(found[0].dim(0))};
}

constexpr OpRow kCustomRows[] = {{kCustom, {"TFLite_Detection_PostProcess", detected}}};

constexpr OpRow kRows[] = {
    {120, {"NON_MAX_SUPPRESSION_V4", non_max_suppression_v4}},
    {121, {"NON_MAX_SUPPRESSION_V5", non_max_suppression_v5}},
};

}  // namespace

std::span<const OpRow> detection_rows() { return kCustomRows; }
std::span<const OpRow> suppression_rows() { return kRows; }

}  // namespace tenure::tflite
