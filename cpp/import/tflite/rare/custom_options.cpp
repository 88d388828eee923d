#include "import/tflite/rare/custom_options.h"

namespace tenure::tflite {

std::span<const std::byte> read_option_bytes(const Call& call) {
  const std::string_view words = call.attrs().string(kCustomOptions);
  return std::as_bytes(std::span(words.data(), words.size()));
}

std::int32_t read_option_integer(const Call& call, std::size_t i) {
  return FlatBuffer(read_option_bytes(call)).read<std::int32_t>(4 * i);
}

}  // namespace tenure::tflite
