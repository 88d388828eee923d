#include "import/tflite/rare/strings.h"

#include "core/error.h"
#include "core/strings.h"
#include "import/tflite/flatbuffer.h"

namespace tenure::tflite {

Tensor decode_strings(std::span<const std::byte> raw, const Shape& shape) {
  const FlatBuffer file(raw);
  const auto count = file.read<std::uint32_t>(0);
  check(count == shape.elements(), "it has ", count, " strings, its shape ", shape, " has ",
        shape.elements());
  std::vector<std::string_view> strings;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto start = file.read<std::uint32_t>(4 + 4 * std::uint64_t{i});
    const auto end = file.read<std::uint32_t>(8 + 4 * std::uint64_t{i});
    check(start <= end, "its string ", i, " begins at byte ", start, " and ends at byte ", end);
    const std::span<const std::byte> bytes = file.slice(start, end - start);
    strings.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return make_string_tensor(strings, shape);
}

}  // namespace tenure::tflite
