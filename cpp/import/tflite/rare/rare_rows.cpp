#include "import/tflite/families.h"

namespace tenure::tflite {

const OpRow* find_rare_row(std::int32_t code) {
  constexpr FamilyRows kFamilies[] = {
      rare_math_rows,    rare_movement_rows, indexing_rows, creation_rows,         rare_activation_rows,
      recurrent_rows,    suppression_rows,   spectral_rows, rare_convolution_rows, rare_reduction_rows,
      slice_gather_rows, slice_scatter_rows, text_rows,
  };
  return find_row(kFamilies, code);
}

const OpRow* find_custom_row(std::string_view name) {
  constexpr FamilyRows kFamilies[] = {custom_rows, landmark_rows, detection_rows, unpooling_rows, audio_rows};
  for (const FamilyRows family : kFamilies) {
    for (const OpRow& row : family()) {
      if (row.row.op == name) return &row;
    }
  }
  return nullptr;
}

}  // namespace tenure::tflite
