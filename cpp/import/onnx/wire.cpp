#include "import/onnx/wire.h"

#include <bit>
#include <cstring>

#include "core/error.h"

namespace tenure::onnx {
namespace {

/// Removes `count` bytes from the front of `rest` and returns them.
std::span<const std::byte> take(std::span<const std::byte>& rest, std::uint64_t count) {
  check(count <= rest.size(), "the file ends within a field: ", count, " bytes were expected, ", rest.size(),
        " are left");
  const auto taken = rest.first(static_cast<std::size_t>(count));
  rest = rest.subspan(static_cast<std::size_t>(count));
  return taken;
}

std::uint64_t take_varint(std::span<const std::byte>& rest) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    check(!rest.empty(), "the file ends within a number");
    const auto byte = std::to_integer<std::uint64_t>(rest[0]);
    rest = rest.subspan(1);
    check(shift < 63 || byte <= 1, "a number has more than 64 bits");
    value |= (byte & 127U) << shift;
    if (byte < 128) return value;
  }
  fail("a number has more than 64 bits");
}

/// Copies a number of fixed size. The hosts that the engine runs on are little-endian, as the format is.
template <class T>
T decode(std::span<const std::byte> bytes) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

template <class T>
void append_packed(std::vector<T>& to, std::span<const std::byte> bytes) {
  check(bytes.size() % sizeof(T) == 0, "a list of ", sizeof(T) * 8, "-bit numbers takes ", bytes.size(),
        " bytes");
  if (bytes.empty()) return;
  const std::size_t before = to.size();
  to.resize(before + bytes.size() / sizeof(T));
  std::memcpy(to.data() + before, bytes.data(), bytes.size());
}

}  // namespace

bool Message::next() {
  if (rest_.empty()) return false;
  const std::uint64_t tag = take_varint(rest_);
  check(tag >> 3 > 0 && tag >> 3 < (1U << 29), "a field has the number ", tag >> 3);
  field_ = static_cast<std::uint32_t>(tag >> 3);
  switch (tag & 7U) {
    case kVarint: varint_ = take_varint(rest_); break;
    case kFixed64: content_ = take(rest_, 8); break;
    case kBytes: content_ = take(rest_, take_varint(rest_)); break;
    case kFixed32: content_ = take(rest_, 4); break;
    default: fail("field ", field_, " has the wire type ", tag & 7U, ", which is not supported");
  }
  type_ = static_cast<Type>(tag & 7U);
  return true;
}

void Message::expect(Type type) const {
  check(type_ == type, "field ", field_, " has the wire type ", static_cast<int>(type_), ", ",
        static_cast<int>(type), " was expected");
}

std::int64_t Message::integer() const {
  expect(kVarint);
  return static_cast<std::int64_t>(varint_);
}

std::int32_t Message::int32() const {
  const std::int64_t value = integer();
  check(value >= INT32_MIN && value <= INT32_MAX, "field ", field_, " is ", value,
        ", which is not a 32-bit integer");
  return static_cast<std::int32_t>(value);
}

float Message::number() const {
  expect(kFixed32);
  return decode<float>(content_);
}

std::span<const std::byte> Message::bytes() const {
  expect(kBytes);
  return content_;
}

std::string_view Message::text() const {
  const auto content = bytes();
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

void Message::append_integers(std::vector<std::int64_t>& to) const {
  if (type_ == kVarint) return to.push_back(integer());
  for (auto rest = bytes(); !rest.empty();) to.push_back(static_cast<std::int64_t>(take_varint(rest)));
}

void Message::append_floats(std::vector<float>& to) const {
  if (type_ == kFixed32) return to.push_back(decode<float>(content_));
  append_packed(to, bytes());
}

void Message::append_doubles(std::vector<double>& to) const {
  if (type_ == kFixed64) return to.push_back(decode<double>(content_));
  append_packed(to, bytes());
}

}  // namespace tenure::onnx
