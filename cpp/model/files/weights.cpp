#include "model/files/weights.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/memory/half_floats.h"
#include "core/memory/memory_tracked.h"
#include "core/strings.h"
#include "model/files/json.h"

namespace tenure {
namespace {

static_assert(std::endian::native == std::endian::little);
// Sizes in bytes must fit 32 bits, as in WebAssembly.
constexpr std::size_t kMaxElements = std::size_t{1} << 29;

DType parse_dtype(const std::string& weight, const Json* json) {
  check(json && json->is_string(), "weight \"", weight, "\" has no dtype");
  const std::string& name = json->string();
  if (name == "float32") return DType::kFloat32;
  if (name == "int32") return DType::kInt32;
  if (name == "bool") return DType::kBool;
  if (name == "string") return DType::kString;
  if (name == "complex64") return DType::kComplex64;
  fail("weight \"", weight, "\" has the unsupported dtype \"", name, "\"");
}

Shape parse_shape(const std::string& weight, const Json* json) {
  check(json && json->is_array(), "weight \"", weight, "\" has no shape");
  check(json->items().size() <= kMaxRank, "weight \"", weight, "\" has rank ", json->items().size(),
        ", higher than the highest supported, ", kMaxRank);
  Shape shape;
  for (const Json& extent : json->items()) {
    check(extent.is_int() && extent.to_int() >= 0, "weight \"", weight, "\" has the extent ", extent,
          " in its shape");
    shape.push_back(extent.to_int());
  }
  try {
    shape.validate();
  } catch (const Error& error) {
    fail("weight \"", weight, "\": ", error.what());
  }
  check(shape.elements() <= kMaxElements, "weight \"", weight, "\" of shape ", shape,
        " would take more than 2 GB");
  return shape;
}

double parse_number(const std::string& weight, const Json& json, std::string_view key) {
  const Json* number = json.find(key);
  check(number && number->is_number() && std::isfinite(number->number()), "weight \"", weight,
        "\" has a quantization without ", key);
  return number->number();
}

void parse_quantization(const Json& json, WeightSpec& weight) {
  const Json* dtype = json.find("dtype");
  check(dtype && dtype->is_string(), "weight \"", weight.name, "\" has a quantization without dtype");
  check(weight.spec.dtype == DType::kFloat32 || weight.spec.dtype == DType::kInt32, "weight \"", weight.name,
        "\" of dtype ", get_name(weight.spec.dtype), " cannot be quantized");
  const std::string& name = dtype->string();
  if (name == "float16") {
    check(weight.spec.dtype == DType::kFloat32, "weight \"", weight.name,
          "\" is quantized to float16 but is not float32");
    weight.encoding = Encoding::kFloat16;
    return;
  }
  check(name == "uint8" || name == "uint16", "weight \"", weight.name,
        "\" has the unknown quantization dtype \"", name,
        "\"; supported are 'uint8', 'uint16' and 'float16'");
  weight.encoding = name == "uint8" ? Encoding::kUint8 : Encoding::kUint16;
  weight.min = parse_number(weight.name, json, "min");
  weight.scale = parse_number(weight.name, json, "scale");
}

WeightSpec parse_spec(const Json& json) {
  WeightSpec weight;
  const Json* name = json.find("name");
  check(name && name->is_string(), "the weights manifest has an entry without a name");
  weight.name = name->string();
  weight.spec = {parse_shape(weight.name, json.find("shape")), parse_dtype(weight.name, json.find("dtype"))};
  if (const Json* quantization = json.find("quantization")) parse_quantization(*quantization, weight);
  const Json* group = json.find("group");
  weight.is_optimizer_state = group && group->string() == "optimizer";
  return weight;
}

template <class Stored, class Value, class Convert>
void convert(const std::byte* from, Value* to, std::size_t count, Convert decode_value) {
  for (std::size_t i = 0; i < count; ++i) {
    Stored stored;
    std::memcpy(&stored, from + i * sizeof(Stored), sizeof(Stored));
    to[i] = decode_value(stored);
  }
}

template <class Stored>
void dequantize(const WeightSpec& weight, const std::byte* from, void* to) {
  const double min = weight.min;
  const double scale = weight.scale;
  const std::size_t count = weight.spec.shape.elements();
  if (weight.spec.dtype == DType::kInt32) {
    convert<Stored>(from, static_cast<std::int32_t*>(to), count, [=](Stored q) {
      return static_cast<std::int32_t>(
          std::clamp(std::floor(q * scale + min + 0.5), -2147483648.0, 2147483647.0));
    });
  } else {
    convert<Stored>(from, static_cast<float*>(to), count,
                    [=](Stored q) { return static_cast<float>(q * scale + min); });
  }
}

/// Throws if `left`, the bytes left in the data, are less than the `bytes` of a weight.
void check_remaining(const WeightSpec& weight, std::uint64_t bytes, std::size_t left) {
  check(bytes <= left, "weight \"", weight.name, "\" of shape ", weight.spec.shape, " needs ", bytes,
        " bytes, but the weight data ends after ", left, " of them");
}

/// Decodes strings, each stored as a 32-bit length and its bytes, and removes them from the front of `data`.
Tensor decode_strings(const WeightSpec& weight, std::span<const std::byte>& data) {
  std::vector<std::string_view> values;
  for (std::size_t i = 0; i < weight.spec.shape.elements(); ++i) {
    std::uint32_t length = 0;
    check_remaining(weight, sizeof(length), data.size());
    std::memcpy(&length, data.data(), sizeof(length));
    data = data.subspan(sizeof(length));
    check_remaining(weight, length, data.size());
    values.emplace_back(reinterpret_cast<const char*>(data.data()), length);
    data = data.subspan(length);
  }
  return make_string_tensor(values, weight.spec.shape);
}

void decode(const WeightSpec& weight, const std::byte* from, void* to) {
  const std::size_t count = weight.spec.shape.elements();
  if (count == 0) return;
  switch (weight.encoding) {
    case Encoding::kPlain:
      if (weight.spec.dtype == DType::kBool) {
        convert<std::uint8_t>(from, static_cast<std::uint8_t*>(to), count,
                              [](std::uint8_t value) { return static_cast<std::uint8_t>(value != 0); });
      } else {
        std::memcpy(to, from, count * element_size(weight.spec.dtype));
      }
      break;
    case Encoding::kFloat16: halves_to_floats(from, count, static_cast<float*>(to)); break;
    case Encoding::kUint8: dequantize<std::uint8_t>(weight, from, to); break;
    case Encoding::kUint16: dequantize<std::uint16_t>(weight, from, to); break;
  }
}

/// A quantized weight in its stored form.
class QuantizedWeight final : public DeferredData {
 public:
  QuantizedWeight(const WeightSpec& weight, StoragePtr stored)
      : weight_(weight), stored_(std::move(stored)) {}
  void unpack(void* to) const override {
    decode(weight_, static_cast<const std::byte*>(stored_->data()), to);
  }
  std::size_t bytes() const override { return allocated_size(sizeof(Storage)) + stored_->bytes_on_cpu(); }
  void add_to(MemoryReport& report, MemoryPart part) const override { report.add(part, stored_.get()); }

 private:
  WeightSpec weight_;
  StoragePtr stored_;
};

// For a smaller weight the bookkeeping takes as much memory as is saved.
constexpr std::size_t kMinQuantizedElements = 1024;
// Smaller weights are copied: a view of one takes almost as much memory.
constexpr std::size_t kMinInPlaceBytes = 256;

bool stays_quantized(const WeightSpec& weight) {
  return weight.encoding != Encoding::kPlain && weight.spec.shape.elements() >= kMinQuantizedElements;
}

/// True if the stored bytes, at `offset` in aligned memory, can be used in place.
bool can_use_in_place(const WeightSpec& weight, std::size_t offset) {
  if (stays_quantized(weight)) return true;
  const bool is_plain = weight.encoding == Encoding::kPlain && weight.spec.dtype != DType::kBool;
  return is_plain && weight.stored_bytes() >= kMinInPlaceBytes &&
         offset % element_size(weight.spec.dtype) == 0;
}

/// Returns the owner of the data if at least 90% of its bytes can be used in place, otherwise null.
StoragePtr find_reusable_owner(std::span<const WeightSpec> specs, const WeightData& data) {
  if (!data.owner) return {};
  std::uint64_t offset = 0;
  std::uint64_t in_place = 0;
  for (const WeightSpec& weight : specs) {
    // The number of bytes depends on the strings, so the offsets of later weights are unknown.
    if (weight.spec.dtype == DType::kString) return {};
    const std::uint64_t bytes = weight.stored_bytes();
    if (!weight.is_optimizer_state && can_use_in_place(weight, static_cast<std::size_t>(offset)))
      in_place += bytes;
    offset += bytes;
  }
  constexpr double kNearlyAll = 0.9;
  const bool is_profitable =
      static_cast<double>(in_place) >= kNearlyAll * static_cast<double>(data.bytes.size());
  return is_profitable ? data.owner : StoragePtr();
}

/// Returns a view of the owner's bytes or, without an owner, a copy.
StoragePtr view_or_copy(std::span<const std::byte> stored, const StoragePtr& owner) {
  // The bytes are not written before they belong to a tensor.
  if (owner) return Storage::view(const_cast<std::byte*>(stored.data()), stored.size(), owner);
  StoragePtr copy = Storage::allocate(stored.size());
  std::memcpy(copy->mutable_data(), stored.data(), stored.size());
  return copy;
}

Tensor decode_tensor(const WeightSpec& weight, std::span<const std::byte> stored, const StoragePtr& owner) {
  if (stays_quantized(weight)) {
    const std::size_t bytes = checked_bytes(weight.spec);
    return Tensor(
        Storage::packed(bytes, std::make_unique<QuantizedWeight>(weight, view_or_copy(stored, owner))),
        weight.spec);
  }
  if (owner) {
    const auto offset =
        static_cast<std::size_t>(stored.data() - static_cast<const std::byte*>(owner->data()));
    if (can_use_in_place(weight, offset)) return Tensor(view_or_copy(stored, owner), weight.spec);
  }
  Tensor tensor(weight.spec);
  decode(weight, stored.data(), tensor.mutable_data<std::byte>());
  return tensor;
}

}  // namespace

std::uint64_t WeightSpec::stored_bytes() const {
  const std::uint64_t count = spec.shape.elements();
  switch (encoding) {
    case Encoding::kPlain: break;
    case Encoding::kFloat16:
    case Encoding::kUint16: return count * 2;
    case Encoding::kUint8: return count;
  }
  return count * element_size(spec.dtype);
}

std::vector<WeightSpec> parse_weight_specs(const Json& json) {
  check(json.is_array(), "the weights manifest must be an array, got ", json);
  std::vector<WeightSpec> specs;
  for (const Json& entry : json.items()) {
    if (const Json* group = entry.find("weights")) {
      for (const Json& weight : group->items()) specs.push_back(parse_spec(weight));
    } else if (!entry.find("paths")) {
      specs.push_back(parse_spec(entry));
    }
  }
  return specs;
}

std::vector<NamedTensor> decode_weights(std::span<const WeightSpec> specs, const WeightData& given) {
  const StoragePtr owner = find_reusable_owner(specs, given);
  std::span<const std::byte> data = given.bytes;
  std::vector<NamedTensor> weights;
  for (const WeightSpec& spec : specs) {
    if (spec.spec.dtype == DType::kString) {
      weights.push_back({spec.name, decode_strings(spec, data)});
      continue;
    }
    const std::uint64_t bytes = spec.stored_bytes();
    check_remaining(spec, bytes, data.size());
    const auto count = static_cast<std::size_t>(bytes);
    weights.push_back({spec.name, decode_tensor(spec, data.first(count), owner)});
    data = data.subspan(count);
  }
  return weights;
}

}  // namespace tenure
