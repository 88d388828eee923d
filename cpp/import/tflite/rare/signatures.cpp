// The signature that the options choose.

#include "core/error.h"
#include "import/tflite/reader.h"

namespace tenure::tflite {

std::uint32_t GraphReader::find_subgraph() const {
  std::string keys;
  for (const Signature& signature : model_.signatures) {
    if (signature.key == options_.signature) return signature.subgraph;
    keys += text(keys.empty() ? "" : ", ", "\"", signature.key, "\"");
  }
  fail("there is no signature \"", options_.signature, "\"; there are: ", keys.empty() ? "none" : keys);
}

}  // namespace tenure::tflite
