#include "import/tflite/custom_options.h"

#include "import/tflite/flexbuffer.h"

namespace tenure::tflite {
namespace {

std::vector<std::byte> read_bytes(const Call& call) {
  std::vector<std::byte> bytes;
  for (const double byte : call.attrs().numbers(kCustomOptions))
    bytes.push_back(static_cast<std::byte>(static_cast<std::uint8_t>(byte)));
  return bytes;
}

}  // namespace

std::int32_t read_option_integer(const Call& call, std::size_t i) {
  const std::vector<std::byte> bytes = read_bytes(call);
  return FlatBuffer(bytes).read<std::int32_t>(4 * i);
}

Attributes read_option_map(const Call& call) { return read_flexbuffer(read_bytes(call)); }

}  // namespace tenure::tflite
