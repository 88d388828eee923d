#include "core/strings.h"

#include <cstring>
#include <limits>

#include "core/error.h"

namespace tenure {

Tensor allocate_strings(const Shape& shape, std::uint64_t text_bytes) {
  shape.validate();
  const std::uint64_t bytes = offset_bytes(shape.elements()) + text_bytes;
  if (bytes > std::numeric_limits<std::uint32_t>::max()) {
    fail_with(ErrorCode::kOutOfMemory,
              text("out of memory: strings of shape ", shape, " with ", text_bytes, " bytes of text"));
  }
  return {Storage::allocate(static_cast<std::size_t>(bytes)), {shape, DType::kString}};
}

Tensor make_string_tensor(std::span<const std::string_view> values, const Shape& shape) {
  check_value_count(shape, values.size());
  std::uint64_t total = 0;
  for (const std::string_view value : values) total += value.size();
  Tensor tensor = allocate_strings(shape, total);
  auto* offsets = tensor.mutable_data<std::uint32_t>();
  char* text = tensor.mutable_data<char>() + offset_bytes(values.size());
  std::uint32_t at = 0;
  for (const std::string_view value : values) {
    *offsets++ = at;
    if (!value.empty()) std::memcpy(text + at, value.data(), value.size());
    at += static_cast<std::uint32_t>(value.size());
  }
  *offsets = at;
  return tensor;
}

}  // namespace tenure
