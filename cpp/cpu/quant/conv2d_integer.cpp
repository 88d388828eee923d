#include <algorithm>
#include <cstring>
#include <optional>

#include "cpu/kernels.h"
#include "cpu/quant/integer_rows.h"
#include "cpu/quant/packed_integers_kernel.h"
#include "cpu/simd/simd_integer.h"
#include "cpu/threads/parallel.h"
#include "shape_util/conv.h"

namespace tenure::cpu {
namespace {

using simd::I16;

/// Rows of a block: their sums with a panel and their pixels stay in the first-level cache.
constexpr int kBlockRows = 64;

/// Elements that copies may write and read beyond their ends.
constexpr std::size_t kSlack = 8;

/// Copies a run of elements, eight at a time. Calls of memcpy(), which engines make for memory.copy, take
/// longer than all products of a pixel of few channels.
std::int16_t* copy_run(const std::int16_t* from, std::size_t count, std::int16_t* to) {
#pragma GCC unroll 1
  for (std::size_t i = 0; i < count; i += kSlack) I16::load(from + i).store(to + i);
  return to + count;
}

/// The images of a convolution as int16, with their pads.
class PaddedImages {
 public:
  PaddedImages(const Tensor& x, const ConvGeometry& geometry)
      : geometry_(geometry),
        height_(geometry.h.in + geometry.h.pad_before + std::max(geometry.h.pad_after, 0)),
        width_(geometry.w.in + geometry.w.pad_before + std::max(geometry.w.pad_after, 0)),
        pixels_(static_cast<std::size_t>(geometry.batch) * static_cast<std::size_t>(height_) *
                    static_cast<std::size_t>(width_) * static_cast<std::size_t>(geometry.in_channels) +
                kSlack) {
    x.dtype() == DType::kInt32 ? fill(x.data<std::int32_t>()) : fill(x.data<float>());
  }

  /// True if the pixels are the rows of the product: windows of one pixel that are next to each other.
  bool are_rows(int padded_depth) const {
    const ConvGeometry& g = geometry_;
    return g.h.window == 1 && g.w.window == 1 && g.h.stride == 1 && g.w.stride == 1 && g.h.out == height_ &&
           g.w.out == width_ && g.in_channels == padded_depth;
  }
  const std::int16_t* pixel(std::size_t number) const {
    return pixels_.data() + number * static_cast<std::size_t>(geometry_.in_channels);
  }

  /// Copies the windows of the output's pixels [first, first + count), each padded with zeros to
  /// `padded_depth`.
  void copy_windows(std::size_t first, int count, int padded_depth, std::int16_t* to) const {
    const ConvGeometry& g = geometry_;
    const auto channels = static_cast<std::size_t>(g.in_channels);
    // Pixels of a window's row are next to each other unless it is dilated.
    const int runs = g.w.dilation == 1 ? 1 : g.w.window;
    const std::size_t run = channels * static_cast<std::size_t>(g.w.window / runs);
    const auto width = static_cast<std::size_t>(g.w.out);
    const auto size = width * static_cast<std::size_t>(g.h.out);
    for (std::size_t number = first; number < first + static_cast<std::size_t>(count); ++number) {
      const std::size_t image = number / size * static_cast<std::size_t>(height_);
      const std::size_t row = image + number % size / width * static_cast<std::size_t>(g.h.stride);
      const std::size_t column = number % width * static_cast<std::size_t>(g.w.stride);
      std::int16_t* const end = to + padded_depth;
      for (int i = 0; i < g.h.window; ++i) {
        const std::size_t line =
            (row + static_cast<std::size_t>(i * g.h.dilation)) * static_cast<std::size_t>(width_) + column;
        for (int j = 0; j < runs; ++j)
          to = copy_run(pixel(line + static_cast<std::size_t>(j * g.w.dilation)), run, to);
      }
      for (std::int16_t* rest = to; rest < end; rest += kSlack) I16(std::int16_t{0}).store(rest);
      to = end;
    }
  }

 private:
  template <class T>
  void fill(const T* from) {
    const ConvGeometry& g = geometry_;
    const auto channels = static_cast<std::size_t>(g.in_channels);
    const std::size_t line = static_cast<std::size_t>(g.w.in) * channels;
    const std::size_t padded = static_cast<std::size_t>(width_) * channels;
    const auto in = static_cast<std::size_t>(g.h.in);
    const auto height = static_cast<std::size_t>(height_);
    const std::size_t rows = static_cast<std::size_t>(g.batch) * in;
    const bool is_padded = height_ != g.h.in || width_ != g.w.in;
    const std::size_t before = static_cast<std::size_t>(g.h.pad_before) * padded +
                               static_cast<std::size_t>(g.w.pad_before) * channels;
    if (is_padded) std::memset(pixels_.data(), 0, pixels_.size() * sizeof(std::int16_t));
    parallel_for(rows, grain_size(4 * line), [&](std::size_t begin, std::size_t end) {
      if (!is_padded)
        return convert_to_int16(from + begin * line, (end - begin) * line, pixels_.data() + begin * line);
      for (std::size_t row = begin; row < end; ++row) {
        const std::size_t to = row / in * height * padded + row % in * padded + before;
        convert_to_int16(from + row * line, line, pixels_.data() + to);
      }
    });
  }

  const ConvGeometry& geometry_;
  int height_;
  int width_;
  Scratch<std::int16_t> pixels_;
};

}  // namespace

void convolve_integers(const KernelArgs& args, const IntegerPanels* prepared) {
  const auto attrs = args.attrs.as<IntegerConvAttrs>();
  const ConvGeometry geometry =
      conv2d_geometry(args.in[0].shape(), args.in[1].shape(), get_conv_attrs(attrs));
  const int columns = geometry.out_channels;
  std::optional<PanelsOfMatrix> made;
  const IntegerPanels& panels =
      prepared
          ? *prepared
          : made.emplace(args.in[1], geometry.in_channels * geometry.h.window * geometry.w.window, columns)
                .panels();
  std::optional<ColumnValues<std::int32_t>> bias;
  std::optional<ColumnValues<float>> scales;
  if (args.in.has(2)) bias.emplace(args.in[2], columns);
  if (args.in.has(3)) scales.emplace(args.in[3], columns);
  IntegerEpilogue epilogue{.column_scales = scales ? scales->data() : nullptr,
                           .integer_bias = bias ? bias->data() : nullptr,
                           .requantizes = true,
                           .low = attrs.low,
                           .high = attrs.high};
  const PaddedImages images(args.in[0], geometry);
  const int depth = panels.padded_depth();
  const bool are_rows = images.are_rows(depth);
  const std::size_t pixels = args.out.elements() / static_cast<std::size_t>(columns);
  // Smaller blocks where they would be fewer than the threads.
  const std::size_t share =
      (pixels + static_cast<std::size_t>(thread_count()) - 1) / static_cast<std::size_t>(thread_count());
  const int block = static_cast<int>(std::min<std::size_t>((share + 3) / 4 * 4, kBlockRows));
  const std::size_t blocks = (pixels + static_cast<std::size_t>(block) - 1) / static_cast<std::size_t>(block);
  const std::size_t grain = grain_size(static_cast<std::size_t>(block) * static_cast<std::size_t>(depth) *
                                       static_cast<std::size_t>(columns) / 2);
  const int threads = threads_for(blocks, grain);
  const std::size_t rows_size =
      are_rows ? 0 : static_cast<std::size_t>(block) * static_cast<std::size_t>(depth) + kSlack;
  Scratch<std::int16_t> windows(static_cast<std::size_t>(threads), rows_size);
  Scratch<std::int32_t> sums(static_cast<std::size_t>(threads), sums_size(block));
  void* out = args.out.mutable_data<std::byte>();
  parallel_for(blocks, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    std::int16_t* const rows = windows.data() + static_cast<std::size_t>(slot) * rows_size;
    for (std::size_t number = begin; number < end; ++number) {
      const std::size_t first = number * static_cast<std::size_t>(block);
      const int count =
          static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(block), pixels - first));
      if (!are_rows) images.copy_windows(first, count, depth, rows);
      multiply_block({are_rows ? images.pixel(first) : rows, count}, static_cast<int>(first), panels, 0,
                     panels.panels(), epilogue,
                     sums.data() + static_cast<std::size_t>(slot) * sums_size(block), out);
    }
  });
}

void conv2d_integer(const KernelArgs& args) { convolve_integers(args, nullptr); }

}  // namespace tenure::cpu
