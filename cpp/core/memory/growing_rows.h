#pragma once

#include <cstddef>
#include <memory>

#include "core/tensor.h"

namespace tenure {

/// The bytes of a tensor that grows along an axis, in a block with capacity for more rows: the rows of each
/// index of the axes before are followed by free ones. Appended rows are written behind the others, so that
/// the tensors before and after share the block. Readers that do not know the block get a compact copy.
class GrowingRows final : public DeferredData {
 public:
  static const char kForm;

  /// Returns `x` and behind it `rows`, along `axis`: writes the rows into the block of `x` if it has room and
  /// nothing else was appended to `x`, else copies `x` into a new block. `x` stays valid. Both have the same
  /// dtype, not string, and the same extents but that of `axis`, and elements. Throws Error(kShape) if
  /// the result has too many elements and Error(kOutOfMemory) if memory ends, and changes nothing then.
  static Tensor append(const Tensor& x, const Tensor& rows, int axis);
  /// Returns the block of `x`, [..., length, n], as a tensor [..., capacity, n]: behind the rows of `x` there
  /// are zeros. Returns an empty tensor if `x` grows along another axis or not at all, or if rows were
  /// appended to it.
  static Tensor find_padded(const Tensor& x);
  /// Returns the form of a tensor, or null if it has another one.
  static const GrowingRows* of(const Tensor& x) {
    return x.has_data() ? x.storage()->packed_as<GrowingRows>() : nullptr;
  }

  void unpack(void* to) const override;
  std::size_t bytes() const override;
  void add_to(MemoryReport& report, MemoryPart part) const override;
  bool stays_packed() const override { return true; }
  const char* form() const override { return &kForm; }

 private:
  /// A tensor as [count, length, row].
  struct Layout {
    std::size_t count;
    std::size_t row_bytes;
    friend bool operator==(const Layout&, const Layout&) = default;
  };
  /// Precedes the rows in a block.
  struct alignas(16) Header {
    std::size_t used;  ///< rows of the longest tensor
  };
  GrowingRows(StoragePtr block, std::size_t capacity, const Layout& layout, std::size_t length)
      : block_(std::move(block)), capacity_(capacity), layout_(layout), length_(length) {}
  static Layout find_layout(const Tensor& x, int axis);
  static std::unique_ptr<GrowingRows> copy_to_block(const Tensor& x, const Layout& layout, std::size_t length,
                                                    std::size_t added);
  Header& header() const { return *static_cast<Header*>(block_->data()); }
  std::byte* rows() const { return static_cast<std::byte*>(block_->data()) + sizeof(Header); }
  std::size_t stride() const { return capacity_ * layout_.row_bytes; }

  StoragePtr block_;
  std::size_t capacity_;  ///< in rows
  Layout layout_;
  std::size_t length_;  ///< rows of the tensor
};

}  // namespace tenure
