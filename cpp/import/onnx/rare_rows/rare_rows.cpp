#include "import/onnx/families.h"

namespace tenure::onnx {

const Row* find_rare_row(std::string_view domain, std::string_view op) {
  constexpr Family kFamilies[] = {
      {"", recurrent_rows}, {"", detection_rows},  {"", sampling_rows}, {"", signal_rows},
      {"", unique_rows},    {"", spatial_rows},    {"", sequence_rows}, {"", string_rows},
      {"", loss_rows},      {"", deformable_rows},
  };
  return find_row(kFamilies, domain, op);
}

}  // namespace tenure::onnx
