#include "import/tflite/flatbuffer.h"

#include <algorithm>

#include "core/error.h"

namespace tenure::tflite {
namespace {

constexpr std::uint64_t kMinElements = 1 << 20;
constexpr std::uint64_t kElementsPerByte = 4;

}  // namespace

std::span<const std::byte> FlatBuffer::slice(std::uint64_t at, std::uint64_t count) const {
  check(at <= bytes_.size() && count <= bytes_.size() - at, "byte ", at, " is followed by ",
        at <= bytes_.size() ? bytes_.size() - at : 0, " bytes, ", count, " were expected");
  return bytes_.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count));
}

std::uint64_t FlatBuffer::follow(std::uint64_t at) const {
  const std::uint64_t target = at + read<std::uint32_t>(at);
  check(target < bytes_.size(), "the offset at byte ", at, " leads to byte ", target, " of ", bytes_.size());
  return target;
}

void FlatBuffer::count(std::uint64_t elements) const {
  counted_ += elements;
  check(counted_ <= kMinElements + kElementsPerByte * bytes_.size(), "its vectors have more than ",
        kMinElements + kElementsPerByte * bytes_.size(), " elements, the file has ", bytes_.size(), " bytes");
}

Table::Table(const FlatBuffer& file, std::uint64_t at) : file_(&file), at_(at) {
  file.count(1);
  const std::int64_t vtable = static_cast<std::int64_t>(at) - file.read<std::int32_t>(at);
  check(vtable >= 0 && static_cast<std::uint64_t>(vtable) < file.size(), "the table at byte ", at,
        " has its vtable at byte ", vtable, " of ", file.size());
  vtable_ = static_cast<std::uint64_t>(vtable);
  vtable_size_ = file.read<std::uint16_t>(vtable_);
  size_ = file.read<std::uint16_t>(vtable_ + 2);
  check(vtable_size_ >= 4 && vtable_size_ % 2 == 0, "the vtable at byte ", vtable_, " has ", vtable_size_,
        " bytes");
  file.slice(vtable_, vtable_size_);
  file.slice(at, size_);
}

std::uint64_t Table::find(int field, std::uint64_t size) const {
  const std::uint64_t entry = 4 + 2 * static_cast<std::uint64_t>(field);
  if (entry + 2 > vtable_size_) return 0;
  const auto offset = file_->read<std::uint16_t>(vtable_ + entry);
  if (offset == 0) return 0;
  check(offset + size <= size_, "the table at byte ", at_, " has ", size_, " bytes, its field ", field,
        " is at ", offset);
  return at_ + offset;
}

std::span<const std::byte> Table::vector(int field, std::uint64_t size) const {
  const std::uint64_t at = find(field, sizeof(std::uint32_t));
  if (at == 0) return {};
  const std::uint64_t start = file_->follow(at);
  return file_->slice(start + 4, size * file_->read<std::uint32_t>(start));
}

std::span<const std::byte> Table::bytes(int field) const { return vector(field, 1); }

std::string_view Table::text(int field) const {
  const std::span<const std::byte> raw = bytes(field);
  file_->count(raw.size());
  return {reinterpret_cast<const char*>(raw.data()), raw.size()};
}

std::optional<Table> Table::table(int field) const {
  const std::uint64_t at = find(field, sizeof(std::uint32_t));
  if (at == 0) return {};
  return Table(*file_, file_->follow(at));
}

TableList Table::tables(int field) const {
  const std::uint64_t at = find(field, sizeof(std::uint32_t));
  if (at == 0) return {*file_, 0, 0};
  const std::uint64_t start = file_->follow(at);
  return {*file_, start + sizeof(std::uint32_t), file_->read<std::uint32_t>(start)};
}

std::vector<std::int32_t> Table::longs(int field) const {
  const std::span<const std::byte> raw = vector(field, sizeof(std::int64_t));
  file_->count(raw.size() / sizeof(std::int64_t));
  std::vector<std::int32_t> values(raw.size() / sizeof(std::int64_t));
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::int64_t value;
    std::memcpy(&value, raw.data() + i * sizeof(value), sizeof(value));
    values[i] = static_cast<std::int32_t>(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
  }
  return values;
}

}  // namespace tenure::tflite
