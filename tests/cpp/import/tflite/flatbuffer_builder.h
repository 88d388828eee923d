#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// A writer of FlatBuffers, from the end of the file to its beginning.
namespace tenure::test::flat {

/// The distance of an object from the end of the file.
struct Target {
  std::size_t distance = 0;
};

/// A field of a table: left out, the bytes of a number, or an offset.
using Field = std::variant<std::monostate, std::string, Target>;

template <class T>
std::string number(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}
inline std::string int8(int value) { return number(static_cast<std::int8_t>(value)); }
inline std::string int32(std::int32_t value) { return number(value); }

class Builder {
 public:
  Target bytes(const std::string& content) {
    return add(int32(static_cast<std::int32_t>(content.size())) + content);
  }
  Target text(const std::string& content) {
    return add(int32(static_cast<std::int32_t>(content.size())) + content + '\0');
  }
  template <class T>
  Target numbers(const std::vector<T>& values) {
    std::string content = int32(static_cast<std::int32_t>(values.size()));
    for (const T value : values) content += number(value);
    return add(content);
  }
  Target targets(const std::vector<Target>& list) {
    std::string content = int32(static_cast<std::int32_t>(list.size()));
    const std::size_t end = tail_.size() + 4 * list.size();
    for (std::size_t i = 0; i < list.size(); ++i)
      content += int32(static_cast<std::int32_t>(end - 4 * i - list[i].distance));
    return add(content);
  }
  Target table(const std::vector<Field>& fields) {
    std::size_t size = 4;
    for (const Field& field : fields) size += element_size(field);
    std::string vtable =
        number(static_cast<std::uint16_t>(4 + 2 * fields.size())) + number(static_cast<std::uint16_t>(size));
    std::string body = int32(static_cast<std::int32_t>(4 + 2 * fields.size()));
    for (const Field& field : fields) {
      const bool is_there = !std::holds_alternative<std::monostate>(field);
      vtable += number(static_cast<std::uint16_t>(is_there ? body.size() : 0));
      if (const auto* bytes = std::get_if<std::string>(&field)) body += *bytes;
      if (const auto* target = std::get_if<Target>(&field))
        body += int32(static_cast<std::int32_t>(tail_.size() + size - body.size() - target->distance));
    }
    add(vtable + body);
    return {tail_.size() - vtable.size()};
  }
  std::string file(Target root, const std::string& identifier = "TFL3") const {
    return int32(static_cast<std::int32_t>(8 + tail_.size() - root.distance)) + identifier + tail_;
  }

 private:
  static std::size_t element_size(const Field& field) {
    if (const auto* bytes = std::get_if<std::string>(&field)) return bytes->size();
    return std::holds_alternative<Target>(field) ? 4 : 0;
  }
  Target add(const std::string& content) {
    tail_.insert(0, content);
    return {tail_.size()};
  }

  std::string tail_;
};

inline std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace tenure::test::flat
