#include "import/onnx/families.h"

namespace tenure::onnx {

const Row* find_transformer_row(std::string_view domain, std::string_view op) {
  constexpr Family kFamilies[] = {
      {"", attention_rows},
      {"", rotary_rows},
      {"", simplified_rows},
      {kMicrosoft, contrib_rows},
      {kMicrosoft, contrib_attention_rows},
      {kMicrosoft, contrib_rotary_rows},
      // Range and Trilu, as exporters wrote them before the standard had them.
      {kMicrosoft, creation_rows},
  };
  return find_row(kFamilies, domain, op);
}

}  // namespace tenure::onnx
