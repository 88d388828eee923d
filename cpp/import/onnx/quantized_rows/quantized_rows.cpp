#include "import/onnx/families.h"

namespace tenure::onnx {

const Row* find_quantized_row(std::string_view domain, std::string_view op) {
  constexpr Family kFamilies[] = {
      {"", quantized_rows},
      {kMicrosoft, contrib_quantized_rows},
      {kMicrosoft, block_quantized_rows},
      {kMicrosoft, linear_quantized_rows},
  };
  return find_row(kFamilies, domain, op);
}

}  // namespace tenure::onnx
