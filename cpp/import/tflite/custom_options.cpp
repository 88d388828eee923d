#include "import/tflite/custom_options.h"

#include "import/tflite/flexbuffer.h"

namespace tenure::tflite {
namespace {

std::string_view read_text(const Call& call) { return call.attrs().string(kCustomOptions); }

std::span<const std::byte> read_bytes(const Call& call) {
  return std::as_bytes(std::span(read_text(call).data(), read_text(call).size()));
}

}  // namespace

std::int32_t read_option_integer(const Call& call, std::size_t i) {
  return FlatBuffer(read_bytes(call)).read<std::int32_t>(4 * i);
}

Attributes read_option_map(const Call& call) { return read_flexbuffer(read_bytes(call)); }

}  // namespace tenure::tflite
