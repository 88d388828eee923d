#include "import/onnx/families.h"

namespace tenure::onnx {

const Row* find_rare_row(std::string_view domain, std::string_view op) {
  constexpr std::string_view kMachineLearning = "ai.onnx.ml";
  constexpr Family kFamilies[] = {
      {"", recurrent_rows},
      {kMicrosoft, contrib_recurrent_rows},
      {"", detection_rows},
      {"", sampling_rows},
      {kMicrosoft, sampling_rows},
      {"", signal_rows},
      {"", unique_rows},
      {kMicrosoft, contrib_unique_rows},
      {kMicrosoft, rare_contrib_rows},
      {"", spatial_rows},
      {"", sequence_rows},
      {"", string_rows},
      {"", loss_rows},
      {"", deformable_rows},
      {kMachineLearning, feature_rows},
      {kMachineLearning, linear_model_rows},
      {kMachineLearning, support_vector_rows},
      {kMachineLearning, tree_model_rows},
      {"ai.onnx.preview.training", training_rows},
      {"", element_rows},
      {"", bit_rows},
      {"", linear_algebra_rows},
      {"", rare_normalization_rows},
      {"", rare_pooling_rows},
      {"", random_rows},
      {"", former_rows},
  };
  return find_row(kFamilies, domain, op);
}

}  // namespace tenure::onnx
