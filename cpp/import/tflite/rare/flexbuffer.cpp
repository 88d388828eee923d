#include "import/tflite/rare/flexbuffer.h"

#include "core/error.h"

namespace tenure::tflite {
namespace {

using executor::Attributes;

enum Type : std::uint8_t {
  kInt = 1,
  kUint = 2,
  kFloat = 3,
  kIndirectInt = 6,
  kIndirectFloat = 8,
  kMap = 9,
  kVector = 10,
  kVectorInt = 11,
  kVectorFloat = 13,
  kVectorInt2 = 16,
  kVectorFloat4 = 24,
  kBool = 26,
  kVectorBool = 36,
};

/// A value: where it is, the bytes that it has there, and its packed type: the type, and the bytes of what it
/// refers to.
struct Location {
  std::uint64_t at;
  std::uint64_t width;
  std::uint8_t packed;

  std::uint8_t type() const { return packed >> 2; }
  std::uint64_t inner_width() const { return std::uint64_t{1} << (packed & 3); }
};

std::uint64_t read_unsigned(const FlatBuffer& file, std::uint64_t at, std::uint64_t width) {
  switch (width) {
    case 1: return file.read<std::uint8_t>(at);
    case 2: return file.read<std::uint16_t>(at);
    case 4: return file.read<std::uint32_t>(at);
    case 8: return file.read<std::uint64_t>(at);
    default: fail("byte ", at, " has a number of ", width, " bytes");
  }
}

double read_signed(const FlatBuffer& file, std::uint64_t at, std::uint64_t width) {
  switch (width) {
    case 1: return file.read<std::int8_t>(at);
    case 2: return file.read<std::int16_t>(at);
    case 4: return file.read<std::int32_t>(at);
    default: return static_cast<double>(static_cast<std::int64_t>(read_unsigned(file, at, width)));
  }
}

/// Follows an offset, which leads backward.
std::uint64_t follow(const FlatBuffer& file, std::uint64_t at, std::uint64_t width) {
  const std::uint64_t distance = read_unsigned(file, at, width);
  check(distance <= at, "the offset at byte ", at, " leads ", distance, " bytes backward");
  return at - distance;
}

double read_number(const FlatBuffer& file, std::uint8_t type, std::uint64_t at, std::uint64_t width) {
  if (type == kInt) return read_signed(file, at, width);
  if (type != kFloat) return static_cast<double>(read_unsigned(file, at, width));
  return width == 8 ? file.read<double>(at) : file.read<float>(at);
}

/// Returns the number of elements that is in front of a vector.
std::uint64_t read_count(const FlatBuffer& file, std::uint64_t at, std::uint64_t width) {
  check(at >= width, "the vector at byte ", at, " has no size");
  const std::uint64_t count = read_unsigned(file, at - width, width);
  check(count <= file.size(), "the vector at byte ", at, " has ", count, " elements, the options have ",
        file.size(), " bytes");
  file.slice(at, count * width);
  file.count(count);
  return count;
}

void append_numbers(const FlatBuffer& file, const Location& value, std::vector<double>& to) {
  const std::uint8_t type = value.type();
  const auto append = [&](std::uint8_t element, std::uint64_t start, std::uint64_t count,
                          std::uint64_t width) {
    for (std::uint64_t i = 0; i < count; ++i)
      to.push_back(read_number(file, element, start + i * width, width));
  };
  if (type == kInt || type == kUint || type == kFloat || type == kBool)
    return append(type, value.at, 1, value.width);
  const bool is_typed = (type >= kVectorInt && type <= kVectorFloat) || type == kVectorBool;
  const bool is_fixed = type >= kVectorInt2 && type <= kVectorFloat4;
  const bool is_indirect = type >= kIndirectInt && type <= kIndirectFloat;
  if (!is_typed && !is_fixed && !is_indirect && type != kVector) return;
  const std::uint64_t start = follow(file, value.at, value.width);
  const std::uint64_t width = value.inner_width();
  if (is_indirect) return append(type - kIndirectInt + kInt, start, 1, width);
  if (is_fixed) return append((type - kVectorInt2) % 3 + kInt, start, (type - kVectorInt2) / 3 + 2, width);
  const std::uint64_t count = read_count(file, start, width);
  if (is_typed) return append(type == kVectorBool ? kUint : type - kVectorInt + kInt, start, count, width);
  for (std::uint64_t i = 0; i < count; ++i) {
    // Elements of vectors without a type of their own are numbers, no vectors.
    const Location element{start + i * width, width, file.read<std::uint8_t>(start + count * width + i)};
    if (element.type() <= kFloat || element.type() == kBool) append_numbers(file, element, to);
  }
}

std::string read_key(const FlatBuffer& file, std::uint64_t at) {
  std::string key;
  for (; file.read<char>(at) != '\0'; ++at) key += file.read<char>(at);
  return key;
}

}  // namespace

Attributes read_flexbuffer(std::span<const std::byte> bytes) {
  const FlatBuffer file(bytes);
  check(bytes.size() >= 3, "the options have ", bytes.size(), " bytes");
  const std::uint64_t root_width = file.read<std::uint8_t>(bytes.size() - 1);
  check(root_width > 0 && root_width + 2 <= bytes.size(), "the root of the options has ", root_width,
        " bytes");
  const Location root{bytes.size() - 2 - root_width, root_width, file.read<std::uint8_t>(bytes.size() - 2)};
  check(root.type() == kMap, "the options are of type ", root.type(), ", a map was expected");
  const std::uint64_t width = root.inner_width();
  const std::uint64_t values = follow(file, root.at, root.width);
  check(values >= 3 * width, "the map at byte ", values, " has no keys");
  const std::uint64_t count = read_count(file, values, width);
  const std::uint64_t key_width = read_unsigned(file, values - 2 * width, width);
  const std::uint64_t keys = follow(file, values - 3 * width, width);
  Attributes attrs;
  for (std::uint64_t i = 0; i < count; ++i) {
    Attributes::Value value;
    value.name = read_key(file, follow(file, keys + i * key_width, key_width));
    file.count(value.name.size());
    append_numbers(file, {values + i * width, width, file.read<std::uint8_t>(values + count * width + i)},
                   value.numbers);
    attrs.add(std::move(value));
  }
  return attrs;
}

}  // namespace tenure::tflite
