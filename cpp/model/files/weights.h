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

/// How a weight's values are stored: as they are, or as half floats, or as q with value = q * scale + min.
enum class Encoding : std::uint8_t { kPlain, kFloat16, kUint8, kUint16 };

/// One entry of a weights manifest.
struct WeightSpec {
  std::string name;
  TensorSpec spec;
  Encoding encoding = Encoding::kPlain;
  double min = 0;
  double scale = 1;
  bool of_optimizer = false;

  /// Bytes that the weight takes in the file, unless it is of strings.
  std::uint64_t stored_bytes() const;
};

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// The bytes of a model's weights, and where the weights may stay in them, who keeps them alive.
struct WeightData {
  WeightData() = default;
  WeightData(std::span<const std::byte> bytes) : bytes(bytes) {}
  WeightData(const std::vector<std::byte>& bytes) : bytes(bytes) {}
  explicit WeightData(StoragePtr storage)
      : bytes(static_cast<const std::byte*>(storage->data()), storage->bytes()), owner(std::move(storage)) {}

  std::span<const std::byte> bytes;
  StoragePtr owner;
};

/// Reads the entries of a manifest: an array of specs, or an array of groups {paths, weights}, whose specs
/// follow one another. Throws for an entry without a name, a bad shape, and a type or quantization that is
/// not known.
std::vector<WeightSpec> parse_weight_specs(const Json& json);

/// Decodes weights that lie back to back, little endian and unaligned; large ones in fewer bits stay packed
/// until they are read. Those that are to stay as they lie are not copied where that is nearly all of the
/// owner's bytes. Throws when the data ends too early, naming the weight; bytes beyond the last weight are
/// ignored, as TensorFlow.js does.
std::vector<NamedTensor> decode_weights(std::span<const WeightSpec> specs, const WeightData& data);

}  // namespace tenure
