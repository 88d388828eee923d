#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Protocol Buffers' wire format (protobuf.dev/programming-guides/encoding), for untrusted bytes.
namespace tenure::onnx {

/// A reader of one message, field by field. The bytes must outlive what it returns. Everything throws for
/// bytes that end too early, a varint of more than 64 bits, and a field of another wire type than is read.
class Message {
 public:
  explicit Message(std::span<const std::byte> bytes) : rest_(bytes) {}

  /// Reads the next field. Returns false at the end of the message.
  bool next();
  std::uint32_t field() const { return field_; }

  std::int64_t integer() const;
  /// Returns the integer. Throws unless it has 32 bits.
  std::int32_t int32() const;
  float number() const;
  std::span<const std::byte> bytes() const;
  std::string_view text() const;
  Message message() const { return Message(bytes()); }

  // Appends the values of a repeated field, which may come one by one or packed.
  void append_integers(std::vector<std::int64_t>& to) const;
  void append_floats(std::vector<float>& to) const;
  void append_doubles(std::vector<double>& to) const;

 private:
  enum Type : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
  void expect(Type type) const;

  std::span<const std::byte> rest_;
  std::span<const std::byte> content_;  ///< of kBytes, kFixed32 and kFixed64
  std::uint64_t varint_ = 0;
  std::uint32_t field_ = 0;
  Type type_ = kVarint;
};

}  // namespace tenure::onnx
