#include "core/memory/growing_rows.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"

namespace tenure {
namespace {

constexpr std::size_t kMinFreeRows = 16;
/// A block has this share of its rows free, so that each row is copied 8 times on average, however many are
/// appended.
constexpr std::size_t kRowsToFree = 8;

std::size_t get_extent(const Tensor& x, int axis) { return static_cast<std::size_t>(x.dim(axis)); }

/// Copies `count` pieces of `bytes`, which are `from_stride` and `to_stride` bytes apart.
void copy_pieces(const std::byte* from, std::size_t from_stride, std::byte* to, std::size_t to_stride,
                 std::size_t bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * to_stride, from + i * from_stride, bytes);
}

}  // namespace

const char GrowingRows::kForm = 0;

GrowingRows::Layout GrowingRows::find_layout(const Tensor& x, int axis) {
  return {x.shape().elements(0, axis), x.shape().elements(axis + 1, x.rank()) * element_size(x.dtype())};
}

/// Returns the `length` rows of `x` and `added` rows to be written, in a new block. Behind them there are
/// zeros.
std::unique_ptr<GrowingRows> GrowingRows::copy_to_block(const Tensor& x, const Layout& layout,
                                                        std::size_t length, std::size_t added) {
  const std::size_t used = checked_sum(length, added);
  const std::size_t capacity = checked_sum(used, std::max(kMinFreeRows, used / kRowsToFree));
  const std::size_t stride = checked_product(capacity, layout.row_bytes);
  StoragePtr block = Storage::allocate(checked_sum(checked_product(stride, layout.count), sizeof(Header)));
  std::unique_ptr<GrowingRows> form(new GrowingRows(std::move(block), capacity, layout, used));
  std::byte* to = form->rows();
  const GrowingRows* grown = of(x);
  const std::size_t bytes = length * layout.row_bytes;
  if (grown && grown->layout_ == layout) {
    copy_pieces(grown->rows(), grown->stride(), to, stride, bytes, layout.count);
  } else {
    copy_pieces(static_cast<const std::byte*>(x.storage()->data()), bytes, to, stride, bytes, layout.count);
  }
  for (std::size_t i = 0; i < layout.count; ++i)
    std::fill(to + i * stride + used * layout.row_bytes, to + (i + 1) * stride, std::byte{0});
  return form;
}

Tensor GrowingRows::append(const Tensor& x, const Tensor& rows, int axis) {
  TensorSpec spec = x.spec();
  const std::int64_t extent = std::int64_t{x.dim(axis)} + rows.dim(axis);
  check_shape(extent <= INT32_MAX, "an axis of ", extent, " is too long");
  spec.shape[axis] = static_cast<std::int32_t>(extent);
  spec.shape.validate();
  const Layout layout = find_layout(x, axis);
  assert(layout == find_layout(rows, axis) && x.dtype() == rows.dtype());
  const std::size_t length = get_extent(x, axis);
  const std::size_t added = get_extent(rows, axis);
  const auto* from = static_cast<const std::byte*>(rows.storage()->data());
  const GrowingRows* grown = of(x);
  const bool fits = grown && grown->layout_ == layout && grown->header().used == length &&
                    grown->capacity_ - length >= added;
  std::unique_ptr<GrowingRows> form(
      fits ? new GrowingRows(grown->block_, grown->capacity_, layout, length + added)
           : copy_to_block(x, layout, length, added).release());
  const GrowingRows& result = *form;
  Tensor out(Storage::packed(checked_bytes(spec), std::move(form)), spec);
  copy_pieces(from, added * layout.row_bytes, result.rows() + length * layout.row_bytes, result.stride(),
              added * layout.row_bytes, layout.count);
  result.header().used = length + added;
  return out;
}

Tensor GrowingRows::find_padded(const Tensor& x) {
  const GrowingRows* grown = of(x);
  if (!grown || x.rank() < 2) return {};
  const int axis = x.rank() - 2;
  if (grown->layout_ != find_layout(x, axis) || grown->length_ != get_extent(x, axis) ||
      grown->header().used != grown->length_)
    return {};
  TensorSpec spec = x.spec();
  spec.shape[axis] = static_cast<std::int32_t>(grown->capacity_);
  if (spec.shape.elements() > INT32_MAX) return {};
  const std::size_t bytes = grown->stride() * grown->layout_.count;
  return Tensor(Storage::view(grown->rows(), bytes, grown->block_), spec);
}

void GrowingRows::unpack(void* to) const {
  const std::size_t bytes = length_ * layout_.row_bytes;
  copy_pieces(rows(), stride(), static_cast<std::byte*>(to), bytes, bytes, layout_.count);
}

std::size_t GrowingRows::bytes() const {
  return block_->references() > 1 ? 0 : allocated_size(sizeof(Storage)) + block_->bytes_on_cpu();
}

void GrowingRows::add_to(MemoryReport& report, MemoryPart part) const { report.add(part, block_.get()); }

}  // namespace tenure
