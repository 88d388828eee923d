#include <algorithm>

#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

/// Pads a vector with zeros to `count` elements.
Tensor pad_to(const Tensor& x, std::int32_t count) {
  return pad(x, {.before = {0}, .after = {std::max(0, count - x.dim(0))}});
}

/// Returns the boxes that are kept, padded with zeros, and their number.
EdgeValues suppressed(const Call& call) {
  const std::int32_t most = call.integer(2);
  check(most >= 0 && most <= 1 << 24, "it keeps ", most, " boxes");
  const Tensors found = non_max_suppression(
      call.value(0), call.value(1),
      {.max_output_size = most, .iou_threshold = call.number(3), .score_threshold = call.number(4)});
  return {pad_to(found[0], most), Tensor::scalar(found[0].dim(0))};
}

/// Returns the boxes that are kept and their scores, padded with zeros, and their number.
EdgeValues softly_suppressed(const Call& call) {
  const std::int32_t most = call.integer(2);
  check(most >= 0 && most <= 1 << 24, "it keeps ", most, " boxes");
  const Tensors found = non_max_suppression(call.value(0), call.value(1),
                                            {.max_output_size = most,
                                             .iou_threshold = call.number(3),
                                             .score_threshold = call.number(4),
                                             .soft_sigma = call.number(5)});
  return {pad_to(found[0], most), pad_to(found[1], most), Tensor::scalar(found[0].dim(0))};
}

constexpr OpRow kRows[] = {
    {120, {"NON_MAX_SUPPRESSION_V4", suppressed}},
    {121, {"NON_MAX_SUPPRESSION_V5", softly_suppressed}},
};

}  // namespace

std::span<const OpRow> suppression_rows() { return kRows; }

}  // namespace tenure::tflite
