#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// A reader of FlatBuffers (flatbuffers.dev/internals), for untrusted bytes.
namespace tenure::tflite {

/// The bytes of a file. Every read is checked, and none assumes alignment. They must outlive what is read.
class FlatBuffer {
 public:
  explicit FlatBuffer(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size(); }
  /// Returns `count` bytes at `at`. Throws unless the file has them.
  std::span<const std::byte> slice(std::uint64_t at, std::uint64_t count) const;
  template <class T>
  T read(std::uint64_t at) const {
    T value;
    std::memcpy(&value, slice(at, sizeof(T)).data(), sizeof(T));
    return value;
  }
  /// Returns the position to which the offset at `at` leads.
  std::uint64_t follow(std::uint64_t at) const;
  /// Counts elements that were read. Throws if they are many more than the file has bytes: a file can refer
  /// to one vector again and again.
  void count(std::uint64_t elements) const;

 private:
  std::span<const std::byte> bytes_;
  mutable std::uint64_t counted_ = 0;
};

class TableList;

/// A table. A field that the file leaves out has its default. Fields are numbered as in the schema, from 0,
/// with two numbers for a union: its type and its value.
class Table {
 public:
  /// Reads the table at `at`. Throws if it or its vtable is not within the file.
  Table(const FlatBuffer& file, std::uint64_t at);
  /// Returns the root table of a file.
  static Table root(const FlatBuffer& file) { return {file, file.follow(0)}; }

  std::uint64_t position() const { return at_; }
  const FlatBuffer& file() const { return *file_; }
  bool has(int field) const { return find(field, 0) != 0; }
  /// Returns a number. Throws if the table is too short for it.
  template <class T>
  T number(int field, T otherwise = 0) const {
    const std::uint64_t at = find(field, sizeof(T));
    return at == 0 ? otherwise : file_->read<T>(at);
  }
  std::optional<Table> table(int field) const;
  std::string_view text(int field) const;
  std::span<const std::byte> bytes(int field) const;
  /// Returns the elements of a vector of numbers; none if it is left out.
  template <class T>
  std::vector<T> numbers(int field) const {
    const std::span<const std::byte> raw = vector(field, sizeof(T));
    file_->count(raw.size() / sizeof(T));
    std::vector<T> values(raw.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), raw.data(), raw.size());
    return values;
  }
  /// Returns the elements of a vector of 64-bit integers, clamped to 32 bits.
  std::vector<std::int32_t> longs(int field) const;
  TableList tables(int field) const;

 private:
  /// Returns the position of a field, or 0 if it is left out. Throws unless the table has `size` bytes there.
  std::uint64_t find(int field, std::uint64_t size) const;
  /// Returns the bytes of a vector's elements, which have `size` bytes each; none if it is left out.
  std::span<const std::byte> vector(int field, std::uint64_t size) const;

  const FlatBuffer* file_;
  std::uint64_t at_;
  std::uint64_t vtable_;
  std::uint16_t vtable_size_;
  std::uint16_t size_;
};

/// The tables of a vector, which are read when they are asked for. It has no copy of them, so that the engine
/// has no code for lists of tables.
class TableList {
 public:
  /// Refers to `size` offsets at `first`. Throws unless the file has them.
  TableList(const FlatBuffer& file, std::uint64_t first, std::uint32_t size)
      : file_(&file), first_(first), size_(size) {
    file.slice(first, sizeof(std::uint32_t) * std::uint64_t{size});
  }

  std::uint32_t size() const { return size_; }
  Table operator[](std::uint32_t i) const {
    return {*file_, file_->follow(first_ + sizeof(std::uint32_t) * std::uint64_t{i})};
  }

 private:
  const FlatBuffer* file_;
  std::uint64_t first_;
  std::uint32_t size_;
};

}  // namespace tenure::tflite
