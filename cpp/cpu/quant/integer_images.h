#pragma once

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/memory/byte_values.h"
#include "core/run/backend.h"
#include "cpu/quant/integer_rows.h"
#include "cpu/threads/parallel.h"
#include "cpu/threads/scratch.h"
#include "shape_util/conv.h"

namespace tenure::cpu {

/// Returns the extent of an axis of images with its pads.
inline int padded_extent(const WindowAxis& axis) {
  return axis.in + axis.pad_before + std::max(axis.pad_after, 0);
}

/// The images of a convolution with their pads, as int16, or as bytes that are distances from the lowest
/// value.
template <class T>
class PaddedImages {
 public:
  /// Converts integers of int32, float32 or bytes (core/memory/byte_values.h). Bytes are the distances from
  /// `low`. Stored bytes are read in place if there is no padding. Throws an error if there are 2^31
  /// elements.
  PaddedImages(const Tensor& x, const ConvGeometry& geometry, std::int32_t low = 0)
      : g_(geometry), low_(low), height_(padded_extent(g_.h)), width_(padded_extent(g_.w)) {
    // Positions in a window are int32.
    const std::size_t count = checked_product(checked_product(extent(g_.batch), extent(height_)),
                                              checked_product(extent(width_), extent(g_.in_channels)));
    check(count <= INT32_MAX, "images have ", count, " elements with their padding, at most ", INT32_MAX,
          " are supported");
    if constexpr (sizeof(T) == 1) {
      if (holds_bytes(x) && !is_padded()) {
        data_ = x.data<std::uint8_t>();
        return;
      }
    }
    values_ = Scratch<T>(size() + kSlack);
    data_ = values_.data();
    if (holds_bytes(x)) {
      low_ = get_byte_low(x);
      fill(x.data<std::uint8_t>());
    } else if (x.dtype() == DType::kInt32) {
      fill(x.data<std::int32_t>());
    } else {
      fill(x.data<float>());
    }
  }

  /// Returns the number of elements.
  std::size_t size() const { return extent(g_.batch) * extent(height_) * row_stride(); }
  /// Returns the number of pixels in a row.
  int width() const { return width_; }
  /// Returns the elements from a row of an image to the next.
  std::size_t row_stride() const { return extent(width_) * extent(g_.in_channels); }
  /// Returns the first element of the window of the first output pixel in row `row` of the output's batch *
  /// height.
  const T* first_window(std::size_t row) const {
    const auto out = extent(g_.h.out);
    return data_ + (row / out * extent(height_) + row % out * extent(g_.h.stride)) * row_stride();
  }
  /// Returns the elements from a window to the next in a row.
  std::size_t window_stride() const { return extent(g_.w.stride) * extent(g_.in_channels); }
  /// Returns where row `i` and column `j` of a window are from its first element.
  std::int32_t offset(int i, int j) const {
    return static_cast<std::int32_t>(extent(i * g_.h.dilation) * row_stride() +
                                     extent(j * g_.w.dilation) * extent(g_.in_channels));
  }

  /// Writes the addresses of the windows of the output's pixels [first, first + count).
  void find_windows(std::size_t first, int count, const T** to) const {
    const auto width = extent(g_.w.out);
    std::size_t row = first / width;
    std::size_t column = first % width;
    while (count > 0) {
      const int here = static_cast<int>(std::min(extent(count), width - column));
      const T* at = first_window(row) + column * window_stride();
      for (int i = 0; i < here; ++i, at += window_stride()) *to++ = at;
      count -= here;
      column = 0;
      ++row;
    }
  }

 private:
  /// Elements that kernels may read past the end.
  static constexpr std::size_t kSlack = 16;

  static std::size_t extent(int value) { return static_cast<std::size_t>(value); }
  bool is_padded() const { return height_ != g_.h.in || width_ != g_.w.in; }
  template <class From>
  void convert(const From* from, std::size_t count, T* to) const {
    if constexpr (sizeof(T) == 1 && sizeof(From) == 1) {
      std::copy_n(from, count, to);
    } else if constexpr (sizeof(T) == 1) {
      convert_to_bytes(from, count, low_, to);
    } else if constexpr (sizeof(From) == 1) {
      convert_to_int16(from, count, low_, to);
    } else {
      convert_to_int16(from, count, to);
    }
  }

  template <class From>
  void fill(const From* from) {
    const std::size_t line = extent(g_.w.in) * extent(g_.in_channels);
    const std::size_t in = extent(g_.h.in);
    const std::size_t before =
        extent(g_.h.pad_before) * row_stride() + extent(g_.w.pad_before) * extent(g_.in_channels);
    const bool is_padded = this->is_padded();
    if (is_padded) {
      const int zero = sizeof(T) == 1 ? -low_ : 0;
      std::memset(values_.data(), zero, size() * sizeof(T));
    }
    parallel_for(extent(g_.batch) * in, grain_size(4 * line), [&](std::size_t begin, std::size_t end) {
      if (!is_padded)
        return convert(from + begin * line, (end - begin) * line, values_.data() + begin * line);
      for (std::size_t row = begin; row < end; ++row) {
        const std::size_t to = (row / in * extent(height_) + row % in) * row_stride() + before;
        convert(from + row * line, line, values_.data() + to);
      }
    });
  }

  const ConvGeometry& g_;
  std::int32_t low_;
  int height_;
  int width_;
  Scratch<T> values_;
  const T* data_ = nullptr;
};

/// The inputs of conv2d_integer behind the filter.
class ConvEpilogue {
 public:
  ConvEpilogue(const KernelArgs& args, const IntegerConvAttrs& attrs, int columns) {
    if (args.in.has(2)) bias_.emplace(args.in[2], columns);
    if (args.in.has(3)) scales_.emplace(args.in[3], columns);
    epilogue_ = {.column_scales = scales_ ? scales_->data() : nullptr,
                 .integer_bias = bias_ ? bias_->data() : nullptr,
                 .requantizes = true,
                 .low = attrs.low,
                 .high = attrs.high,
                 .stores_bytes = holds_bytes(args.out)};
    if (epilogue_.stores_bytes) set_byte_low(args.out, static_cast<std::int32_t>(attrs.low));
  }
  const IntegerEpilogue& operator*() const { return epilogue_; }

 private:
  std::optional<ColumnValues<std::int32_t>> bias_;
  std::optional<ColumnValues<float>> scales_;
  IntegerEpilogue epilogue_;
};

/// Returns the lowest value of a convolution's input if bytes hold the distance of all elements from it.
std::optional<std::int32_t> find_byte_low(const Tensor& x);

/// The inputs of conv2d_integer behind the filter, for products of bytes.
class ByteConvEpilogue {
 public:
  /// `low` is what bytes of the input are the distance from.
  ByteConvEpilogue(const KernelArgs& args, const IntegerConvAttrs& attrs, const std::int32_t* column_sums,
                   int columns, std::int32_t low);

  /// Applies the epilogue to a panel of eight columns: compute(epilogue, to, stride) computes `rows` rows of
  /// results, `stride` bytes apart. They are those of the output from `first_row` on. `scratch` has
  /// scratch_size(rows) bytes.
  template <class Compute>
  void apply(int column, std::size_t first_row, int rows, std::byte* scratch, const Compute& compute) const {
    ByteEpilogue epilogue = epilogue_;
    epilogue.bias += column;
    if (epilogue.scales) epilogue.scales += column;
    const std::size_t stride = static_cast<std::size_t>(columns_) * element_size_;
    std::byte* const to = out_ + first_row * stride + static_cast<std::size_t>(column) * element_size_;
    if (column + kIntegerNR <= columns_) return compute(epilogue, to, stride);
    compute(epilogue, scratch, kIntegerNR * element_size_);
    const std::size_t size = static_cast<std::size_t>(columns_ - column) * element_size_;
    for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r)
      std::memcpy(to + r * stride, scratch + r * kIntegerNR * element_size_, size);
  }
  static constexpr std::size_t scratch_size(std::size_t rows) { return rows * kIntegerNR * sizeof(float); }

 private:
  Scratch<std::int32_t> bias_;
  Scratch<float> scales_;
  ByteEpilogue epilogue_;
  int columns_;
  std::size_t element_size_;
  std::byte* out_;
};

}  // namespace tenure::cpu
