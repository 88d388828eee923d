#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Writes ONNX models: messages are strings of bytes, which are joined.
namespace tenure::test::proto {

// Numbers of TensorProto.DataType.
inline constexpr int kFloat = 1;
inline constexpr int kUint8 = 2;
inline constexpr int kInt8 = 3;
inline constexpr int kInt32 = 6;
inline constexpr int kInt64 = 7;
inline constexpr int kString = 8;
inline constexpr int kBool = 9;
inline constexpr int kFloat16 = 10;
inline constexpr int kUint32 = 12;

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes += static_cast<char>((value & 127U) | 128U);
  return bytes + static_cast<char>(value);
}
inline std::string integer(int field, std::int64_t value) {
  return varint(static_cast<std::uint64_t>(field) << 3) + varint(static_cast<std::uint64_t>(value));
}
inline std::string bytes(int field, std::string_view content) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2U) + varint(content.size()) + std::string(content);
}
inline std::string number(int field, float value) {
  std::string raw(sizeof(value), '\0');
  std::memcpy(raw.data(), &value, sizeof(value));
  return varint(static_cast<std::uint64_t>(field) << 3 | 5U) + raw;
}

template <class T>
std::string raw(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

/// Returns a TensorProto with raw data.
inline std::string tensor(std::string_view name, int type, std::initializer_list<std::int64_t> dims,
                          std::string_view data) {
  std::string message;
  for (const std::int64_t dim : dims) message += integer(1, dim);
  return message + integer(2, type) + bytes(8, name) + bytes(9, data);
}

inline std::string int_attribute(std::string_view name, std::int64_t value) {
  return bytes(5, bytes(1, name) + integer(3, value) + integer(20, 2));
}
/// Returns a field of a NodeProto: a list of integers.
inline std::string ints_attribute(std::string_view name, const std::vector<std::int64_t>& list) {
  std::string fields;
  for (const std::int64_t element : list) fields += integer(8, element);
  return bytes(5, bytes(1, name) + fields + integer(20, 7));
}
inline std::string floats_attribute(std::string_view name, const std::vector<float>& list) {
  std::string fields;
  for (const float element : list) fields += number(7, element);
  return bytes(5, bytes(1, name) + fields + integer(20, 6));
}
inline std::string strings_attribute(std::string_view name, const std::vector<std::string_view>& list) {
  std::string fields;
  for (const std::string_view element : list) fields += bytes(9, element);
  return bytes(5, bytes(1, name) + fields + integer(20, 8));
}
inline std::string tensor_attribute(std::string_view name, std::string_view tensor) {
  return bytes(5, bytes(1, name) + bytes(5, tensor) + integer(20, 4));
}
inline std::string graph_attribute(std::string_view name, std::string_view graph) {
  return bytes(5, bytes(1, name) + bytes(6, graph) + integer(20, 5));
}

/// Returns the field of a NodeProto in a graph. `attributes` are fields.
inline std::string node(std::string_view op, std::initializer_list<std::string_view> inputs,
                        std::initializer_list<std::string_view> outputs, std::string_view attributes = {},
                        std::string_view domain = {}) {
  std::string message;
  for (const std::string_view input : inputs) message += bytes(1, input);
  for (const std::string_view output : outputs) message += bytes(2, output);
  return bytes(1, message + bytes(4, op) + std::string(attributes) + bytes(7, domain));
}

/// Returns a ValueInfoProto of a type, with extents if they are given; -1 is one named "n".
inline std::string value(std::string_view name, int type, const std::vector<std::int64_t>& dims = {},
                         bool has_shape = true) {
  std::string shape;
  for (const std::int64_t dim : dims) shape += bytes(1, dim < 0 ? bytes(2, "n") : integer(1, dim));
  return bytes(1, name) + bytes(2, bytes(1, integer(1, type) + (has_shape ? bytes(2, shape) : "")));
}
inline std::string input(std::string_view info) { return bytes(11, info); }
inline std::string output(std::string_view info) { return bytes(12, info); }

/// Returns a ModelProto of a graph.
inline std::string model(std::string_view graph, int opset = 17, std::string_view rest = {}) {
  return integer(1, 8) + bytes(7, graph) + bytes(8, integer(2, opset)) + std::string(rest);
}

inline std::span<const std::byte> as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace tenure::test::proto
