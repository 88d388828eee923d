// Fuzzes a manifest of weights in a line, and the bytes that it describes.

#include "fuzz.h"
#include "model/files/json.h"
#include "model/files/weights.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenure;
  return fuzz::run([&] {
    const auto [manifest, bytes] = fuzz::parts_of<2>({data, size});
    decode_weights(parse_weight_specs(Json::parse(manifest, "the manifest")), fuzz::weights_of(bytes));
  });
}
