// Non-maximum suppression.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/heap_sort.h"
#include "ops/infer.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::host {
namespace {

struct Candidate {
  double score;
  std::int32_t box;
  /// Number of kept boxes that have lowered its score.
  std::size_t compared;

  /// Orders by ascending score; among equal scores, by descending box.
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score < b.score : a.box > b.box;
  }
};

/// Returns the intersection over union of two boxes, each given as [y, x] of two opposite corners.
double iou(const float* a, const float* b) {
  const auto extent = [](const float* box, int axis) {
    return std::abs(static_cast<double>(box[axis + 2]) - box[axis]);
  };
  const auto common = [&](int axis) {
    const float end = std::min(std::max(a[axis], a[axis + 2]), std::max(b[axis], b[axis + 2]));
    return std::max(0.0, static_cast<double>(end) -
                             std::max(std::min(a[axis], a[axis + 2]), std::min(b[axis], b[axis + 2])));
  };
  const double area_a = extent(a, 0) * extent(a, 1);
  const double area_b = extent(b, 0) * extent(b, 1);
  if (!(area_a > 0 && area_b > 0)) return 0;
  const double both = common(0) * common(1);
  return both / (area_a + area_b - both);
}

}  // namespace

/// Returns the indices of the kept boxes, best first, their scores and their number. Soft suppression lowers
/// the score of a box by its IoU with each box that is kept: N. Bodla et al., Soft-NMS, ICCV 2017.
Tensors non_max_suppression(Inputs in, const SuppressionAttrs& attrs) {
  const Tensor boxes = cast(in[0], {DType::kFloat32});
  const Tensor scores = cast(in[1], {DType::kFloat32});
  check_shape(boxes.rank() == 2, "boxes must be a 2D tensor, but was of rank '", boxes.rank(), "'");
  check_shape(boxes.dim(1) == 4, "boxes must have 4 columns, but 2nd dimension was ", boxes.dim(1));
  check_shape(scores.rank() == 1, "scores must be a 1D tensor");
  check_shape(scores.dim(0) == boxes.dim(0), "scores has incompatible shape with boxes. Expected ",
              boxes.dim(0), ", but was ", scores.dim(0));
  check(attrs.iou_threshold >= 0 && attrs.iou_threshold <= 1, "iouThreshold must be in [0, 1], but was '",
        attrs.iou_threshold, "'");
  check(attrs.soft_sigma >= 0 && attrs.soft_sigma <= 1, "softNmsSigma must be in [0, 1], but was '",
        attrs.soft_sigma, "'");
  const auto most = static_cast<std::size_t>(std::clamp(attrs.max_output_size, 0, boxes.dim(0)));
  const double threshold = attrs.score_threshold;
  const double scale = attrs.soft_sigma > 0 ? -0.5 / attrs.soft_sigma : 0;
  const float* corners = boxes.data<float>();
  const auto box = [&](std::int32_t i) { return corners + 4 * static_cast<std::size_t>(i); };
  std::vector<Candidate> candidates;
  for (std::int32_t i = 0; i < boxes.dim(0); ++i) {
    const double score = scores.data<float>()[i];
    if (score > threshold) candidates.push_back({score, i, 0});
  }
  heap_sort(candidates);
  std::vector<std::int32_t> kept;
  std::vector<float> kept_scores;
  while (kept.size() < most && !candidates.empty()) {
    Candidate candidate = candidates.back();
    candidates.pop_back();
    const double before = candidate.score;
    bool is_suppressed = false;
    for (std::size_t j = kept.size(); j > candidate.compared && !is_suppressed && candidate.score > threshold;
         --j) {
      const double common = iou(box(candidate.box), box(kept[j - 1]));
      is_suppressed = common >= attrs.iou_threshold;
      if (!is_suppressed && scale != 0) candidate.score *= std::exp(scale * common * common);
    }
    candidate.compared = kept.size();
    if (is_suppressed) continue;
    if (candidate.score == before) {
      kept.push_back(candidate.box);
      kept_scores.push_back(static_cast<float>(candidate.score));
    } else if (candidate.score > threshold) {
      candidates.insert(std::lower_bound(candidates.begin(), candidates.end(), candidate), candidate);
    }
  }
  const auto valid = static_cast<std::int32_t>(kept.size());
  if (attrs.pads != 0) {
    kept.resize(most);
    kept_scores.resize(most);
  }
  return {tensor1d(kept), tensor1d(kept_scores), Tensor::scalar(valid)};
}

}  // namespace tenure::host
