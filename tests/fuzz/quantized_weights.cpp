// Fuzzes quantized weights: the first bytes encode shape and encoding, the rest is the stored data.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <vector>

#include "fuzz.h"
#include "model/files/weights.h"

namespace {

/// Removes a value from the front of the input; missing bytes are zero.
template <class T>
T take(std::span<const std::uint8_t>& input) {
  T value = {};
  const std::size_t size = std::min(input.size(), sizeof(T));
  if (size > 0) std::memcpy(&value, input.data(), size);
  input = input.subspan(size);
  return value;
}

tenure::WeightSpec spec_from(std::span<const std::uint8_t>& input) {
  using tenure::DType;
  using tenure::Encoding;
  constexpr Encoding kEncodings[] = {Encoding::kPlain, Encoding::kFloat16, Encoding::kUint8,
                                     Encoding::kUint16};
  constexpr DType kTypes[] = {DType::kFloat32, DType::kInt32, DType::kBool, DType::kString,
                              DType::kComplex64};
  tenure::WeightSpec spec;
  spec.name = "w";
  spec.encoding = kEncodings[take<std::uint8_t>(input) % std::size(kEncodings)];
  const bool is_plain = spec.encoding == Encoding::kPlain;
  spec.spec.dtype = kTypes[take<std::uint8_t>(input) % (is_plain ? std::size(kTypes) : 2)];
  for (int rank = take<std::uint8_t>(input) % 4; rank > 0; --rank)
    spec.spec.shape.push_back(take<std::uint8_t>(input));
  // Numbers in a manifest are finite.
  spec.min = take<float>(input);
  spec.scale = take<float>(input);
  if (!std::isfinite(spec.min)) spec.min = 0;
  if (!std::isfinite(spec.scale)) spec.scale = 1;
  return spec;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenure;
  return fuzz::run([&] {
    std::span<const std::uint8_t> input(data, size);
    std::vector<WeightSpec> specs;
    for (int count = take<std::uint8_t>(input) % 4; count > 0; --count) specs.push_back(spec_from(input));
    for (const NamedTensor& weight : decode_weights(specs, fuzz::weights_of(std::as_bytes(input))))
      weight.tensor.storage()->data();
  });
}
