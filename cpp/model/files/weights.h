#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace tenure {

class Json;

/// The stored form of a weight's values: unchanged, half floats, or integers q with value = q * scale + min.
enum class Encoding : std::uint8_t { kPlain, kFloat16, kUint8, kUint16 };

/// One entry of a weights manifest.
struct WeightSpec {
  std::string name;
  TensorSpec spec;
  Encoding encoding = Encoding::kPlain;
  double min = 0;
  double scale = 1;
  bool is_optimizer_state = false;

  /// Returns the bytes of the weight in the file. Not valid for strings, whose size depends on their
  /// contents.
  std::uint64_t stored_bytes() const;
};

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// The bytes of a model's weights. `owner`, if not null, keeps them alive, so that weights may be views of
/// them.
struct WeightData {
  WeightData() = default;
  WeightData(std::span<const std::byte> bytes) : bytes(bytes) {}
  WeightData(const std::vector<std::byte>& bytes) : bytes(bytes) {}
  explicit WeightData(StoragePtr storage)
      : bytes(static_cast<const std::byte*>(storage->data()), storage->bytes()), owner(std::move(storage)) {}

  std::span<const std::byte> bytes;
  StoragePtr owner;
};

/// Returns the weight specs of a manifest: an array of specs, or an array of groups {paths, weights}, whose
/// specs are concatenated. Throws for an entry without a name, an invalid shape, and an unknown dtype or
/// quantization.
std::vector<WeightSpec> parse_weight_specs(const Json& json);

/// Decodes weights that are stored back to back, little endian and unaligned. Quantized weights of 1024
/// elements and more stay quantized until they are read. If the data has an owner and at least 90% of its
/// bytes can be used in place, these weights are views of it instead of copies. Throws, naming the weight, if
/// the data ends too early. Bytes after the last weight are ignored, as in TensorFlow.js.
std::vector<NamedTensor> decode_weights(std::span<const WeightSpec> specs, const WeightData& data);

}  // namespace tenure
