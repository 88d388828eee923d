#pragma once

#include <optional>
#include <string_view>

#include "webgpu/matmul/integer_tiles.h"
#include "webgpu/shader/packed_input.h"

namespace tenure::webgpu {

/// Makes products run as on a device without dot4I8Packed() unless `is_allowed`. For tests and benchmarks.
void allow_packed_dot(bool is_allowed);

/// A product of rows of integers by a matrix of bytes as it is stored, which dot4I8Packed() computes, four
/// products at a time. The rows are packed into bytes first, each less an offset of its own, which is made up
/// for by the sums of the matrix's columns. Rows that span more than 8 bits are multiplied as they are, so
/// that sums are exact.
class IntegerDots {
 public:
  struct Sizes {
    int rows;
    int columns;
    /// Elements of a row of the left-hand operand.
    int depth;
    /// Rows of the left-hand operand that a row of the product reads.
    int taps = 1;
    /// Rows of the left-hand operand.
    int sources;
  };
  /// Returns the product by `b` of [taps * depth, columns]. Returns nullopt if the device has no
  /// dot4I8Packed(), and for matrices that are small, or whose words mix columns with depth.
  static std::optional<IntegerDots> find(const Tensor& b, const Sizes& sizes);

  /// Name of the dispatch that packs the rows, and of the one that multiplies them.
  const char* pack_name() const;
  const char* name() const;
  /// Adds the rows, and declares `fn values(e: i32) -> vec4i`: elements e to e + 3 of `a`, int32 or whole
  /// floats.
  void add_values(Dispatch& dispatch, const Tensor& a) const;
  /// Packs the rows by a dispatch that declares values(), which calls `functions`.
  void pack(Dispatch& dispatch, std::string_view functions = "");
  /// Packs the rows of `a`.
  void pack(const Tensor& a);
  /// Adds the packed rows, the matrix and their sizes, for launch(). The dispatch declares besides values(),
  /// where rows may span more than 8 bits, the functions of integer_dots.wgsl and finish().
  void add_to(Dispatch& dispatch) const;
  void launch(Dispatch& dispatch, Tensor& out, std::string_view functions = "") const;

 private:
  IntegerDots(PackedInput b, const Sizes& sizes)
      : b_(std::move(b)), sizes_(sizes), tiles_(sizes.rows, sizes.columns) {}
  int words() const { return (sizes_.depth + 3) / 4; }

  PackedInput b_;
  Sizes sizes_;
  IntegerTiles tiles_;
  Tensor rows_;
};

}  // namespace tenure::webgpu
