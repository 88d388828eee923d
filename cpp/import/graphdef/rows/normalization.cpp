#include "import/graphdef/families.h"
#include "import/graphdef/layout.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

Tensor batch_normalized(const Call& call) {
  const bool first = is_channels_first(call);
  const BatchNormAttrs attrs{static_cast<float>(call.attrs().number("epsilon", 0.001))};
  return from_channels_last(
      batch_norm(to_channels_last(call[0], first), call[3], call[4], call[2], call[1], attrs), first);
}

EdgeValues fused_batch_norm(const Call& call) { return {batch_normalized(call)}; }

Tensor euclidean(const Call& call) {
  return norm(
      call[0],
      {.order = NormOrder::kEuclidean, .axes = call.dims(1), .keep_dims = call.attrs().flag("keep_dims")});
}

Tensor locally_normalized(const Call& call) {
  const Attributes& attrs = call.attrs();
  return local_response_norm(call[0], {.radius = attrs.integer("depth_radius", 5),
                                       .bias = static_cast<float>(attrs.number("bias", 1)),
                                       .alpha = static_cast<float>(attrs.number("alpha", 1)),
                                       .beta = static_cast<float>(attrs.number("beta", 0.5))});
}

constexpr std::string_view kOutputs =
    "y,batch_mean,batch_variance,reserve_space_1,reserve_space_2,reserve_space_3";

constexpr Row kRows[] = {
    {"FusedBatchNormV3", fused_batch_norm, kOutputs},
    {"FusedBatchNormV2", fused_batch_norm, kOutputs},
    {"FusedBatchNorm", fused_batch_norm, kOutputs},
    {"LRN", locally_normalized},
    {"Softmax", Op::softmax, 1},
    {"LogSoftmax", Op::log_softmax, 1},
    {"EuclideanNorm", euclidean},
};

}  // namespace

std::span<const Row> normalization_rows() { return kRows; }

}  // namespace tenure::graphdef
