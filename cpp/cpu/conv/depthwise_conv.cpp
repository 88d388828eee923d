#include <algorithm>

#include "cpu/conv/depthwise_tiles.h"
#include "cpu/elementwise/activation.h"
#include "cpu/elementwise/elementwise.h"
#include "cpu/gemm/bias.h"
#include "cpu/gemm/packed_kernels.h"
#include "cpu/kernels.h"
#include "cpu/threads/parallel.h"
#include "cpu/threads/scratch.h"
#include "shape_util/conv.h"

namespace tenure::cpu {
namespace {

using depthwise::kColumns;
using depthwise::Tile;
using simd::kLanes;

// Packs the weights of four channels together, tap by tap: their addresses derive from a single one, and they
// do not conflict with those of the image in a bank of the cache.
Scratch<float> pack_filter(const float* filter, std::size_t taps, int channels) {
  const int vectors = (channels + kLanes - 1) / kLanes;
  Scratch<float> packed(static_cast<std::size_t>(vectors * kLanes), taps);
  float* to = packed.data();
  for (int next = 0; next < channels; next += kLanes) {
    const float* from = filter + std::min(next, channels - kLanes);
    for (std::size_t tap = 0; tap < taps; ++tap, from += channels, to += kLanes) store(to, load(from));
  }
  return packed;
}

// Returns rows of `floats` floats, each repeated `times` times.
Scratch<float> repeat_rows(const float* from, std::size_t rows, std::size_t floats, std::size_t times) {
  Scratch<float> repeated(rows, floats * times);
  float* to = repeated.data();
  for (const float* end = from + rows * floats; from != end; from += floats) {
    for (std::size_t i = 0; i < times; ++i) to = std::copy_n(from, floats, to);
  }
  return repeated;
}

class Depthwise {
 public:
  Depthwise(const KernelArgs& args, const PostOp* post_op)
      : attrs_(args.attrs.as<ConvAttrs>()),
        g_(depthwise_conv2d_geometry(args.in[0].shape(), args.in[1].shape(), attrs_)),
        multiplier_(args.in[1].dim(3)),
        bias_(args.in, g_.out_channels),
        x_(args.in[0].data<float>()),
        filter_(args.in[1].data<float>()),
        out_(args.out.mutable_data<float>()),
        tiles_(depthwise::tiles_for(g_)),
        packed_(tiles_.inner ? pack_filter(filter_, taps(), g_.out_channels)
                             : repeat_rows(filter_, can_group_pixels() ? taps() : 0, out_pixel(), kGroup)),
        biases_(
            repeat_rows(bias_.values(), can_group_pixels() && bias_.values() ? 1 : 0, out_pixel(), kGroup)),
        zeros_(tiles_.edge ? out_pixel() + kLanes : 0),
        post_op_(post_op) {
    std::fill_n(zeros_.data(), zeros_.size(), 0.0F);
  }

  int rows() const { return g_.batch * g_.h.out; }
  // The 8 stands for memory accesses, which take as much time as the arithmetic.
  std::size_t row_work() const { return static_cast<std::size_t>(g_.w.out) * out_pixel() * (taps() + 8); }

  // Returns the floats of scratch that run() needs.
  std::size_t scratch_size() const {
    const std::int64_t rows =
        std::int64_t{kBand - 1} * g_.h.stride + std::int64_t{g_.h.window - 1} * g_.h.dilation + 1;
    return repeats_channels()
               ? static_cast<std::size_t>(std::min<std::int64_t>(rows, g_.h.in)) * tile_row() + kLanes
               : 0;
  }

  // Computes rows [first, end) of the output's batch * height rows, which threads share.
  void run(int first, int end, float* scratch) const {
    const std::size_t row_size = static_cast<std::size_t>(g_.w.out) * out_pixel();
    Image image = {nullptr, 0};
    for (int r = first, next = first; r < end; ++r) {
      if (r == next) {
        next = std::min({end, r - r % g_.h.out + g_.h.out, repeats_channels() ? r + kBand : end});
        image = get_image(r, next, scratch);
      }
      float* out = out_ + static_cast<std::size_t>(r) * row_size;
      row(image, r % g_.h.out, out);
      activate(out, row_size, attrs_.activation, attrs_.alpha);
      if (post_op_) post_op_->run(static_cast<std::size_t>(r) * row_size, row_size);
    }
  }

 private:
  // Rows of an image, beginning with row `first`.
  struct Image {
    const float* rows;
    int first;
  };
  // Output rows that share a copy of their input rows with repeated channels.
  static constexpr int kBand = 8;

  // Number of neighbouring pixels that are computed as one pixel of kGroup times the channels, where channels
  // are few. Needs stride 1, with which windows are as far apart as pixels.
  static constexpr std::size_t kGroup = 16;
  static constexpr std::size_t kMaxTaps = 512;
  bool can_group_pixels() const {
    return !tiles_.inner && g_.w.stride == 1 && out_pixel() < kGroup && taps() <= kMaxTaps;
  }

  // True if more than one filter reads an input channel: the input's channels are repeated, one for each
  // output channel.
  bool repeats_channels() const { return multiplier_ > 1; }
  // Returns the input of output rows [first, end), which belong to one image.
  Image get_image(int first, int end, float* scratch) const {
    const float* image =
        x_ + static_cast<std::size_t>(first / g_.h.out) * static_cast<std::size_t>(g_.h.in) * in_row();
    if (!repeats_channels()) return {image, 0};
    const int top = g_.h.origin(first % g_.h.out);
    const int bottom = g_.h.origin((end - 1) % g_.h.out) + (g_.h.window - 1) * g_.h.dilation + 1;
    const int from = std::clamp(top, 0, g_.h.in);
    const int rows = std::clamp(bottom, from, g_.h.in) - from;
    const float* in = image + static_cast<std::size_t>(from) * in_row();
    const float* const last = in + static_cast<std::size_t>(rows) * in_row();
    for (float* to = scratch; in != last; to += multiplier_) std::fill_n(to, multiplier_, *in++);
    return {scratch, from};
  }

  static std::size_t size(int value) { return static_cast<std::size_t>(value); }
  std::size_t taps() const { return size(g_.h.window) * size(g_.w.window); }
  std::size_t in_pixel() const { return size(g_.in_channels); }
  std::size_t in_row() const { return size(g_.w.in) * in_pixel(); }
  std::size_t out_pixel() const { return size(g_.out_channels); }
  // Strides of the tiles' input, in floats.
  std::size_t tile_pixel() const { return repeats_channels() ? out_pixel() : in_pixel(); }
  std::size_t tile_row() const { return size(g_.w.in) * tile_pixel(); }

  // Not inlined into run(), and run_tiles() not into this: engines compile short functions early.
  [[gnu::noinline]] void row(const Image& image, int y, float* out) const {
    const int top = g_.h.origin(y);
    const int first = g_.h.first_tap(top);
    const std::size_t filter_tap = tiles_.inner         ? kLanes
                                   : can_group_pixels() ? kGroup * out_pixel()
                                                        : out_pixel();
    Tile tile = {.bias = biases_.size() > 0 ? biases_.data() : bias_.values(),
                 .rows = std::max(g_.h.end_tap(top) - first, 0),
                 .in_row = size(g_.h.dilation) * tile_row(),
                 .in_tap = size(g_.w.dilation) * tile_pixel(),
                 .filter_row = size(g_.w.window) * filter_tap,
                 .filter_tap = filter_tap,
                 .packed = taps() * kLanes,
                 .channels = g_.out_channels,
                 .clamp = get_clamp(attrs_.activation),
                 .has_clamp = !get_clamp(attrs_.activation).is_open(),
                 .width = g_.w.in,
                 .dilation = g_.w.dilation,
                 .out_stride = size(g_.w.dilation) * out_pixel(),
                 .zeros = zeros_.data()};
    const float* in = image.rows;
    if (tile.rows > 0) in += size(top + first * g_.h.dilation - image.first) * tile_row();
    const float* filter = packed_.size() > 0 ? packed_.data() : filter_;
    if (tile.rows > 0) filter += size(first) * tile.filter_row;
    if (!tiles_.inner) return run_pixels(tile, in, filter, out);
    tile.filter = filter;
    if (tile.rows == 3 && depthwise::should_use_row_kernel(g_)) {
      tile.in = in;
      tile.out = out;
      tile.left = g_.w.origin(0);
      return depthwise::sliding_row_kernel(tile, g_.w.out);
    }
    for (int phase = 0; phase < g_.w.dilation; ++phase) {
      const int columns = (g_.w.out - phase + g_.w.dilation - 1) / g_.w.dilation;
      for (int i = 0; i < columns; i += kColumns * tile.count) {
        // The last tile overlaps the one before.
        i = std::min(i, columns - kColumns);
        const int x = phase + i * g_.w.dilation;
        tile.out = out + size(x) * out_pixel();
        tile.count = (columns - i) / kColumns;
        run_tiles(tile, x, in);
      }
    }
  }

  // Computes as many tiles from column `x` on as one call of a micro-kernel can, up to tile.count.
  [[gnu::noinline]] void run_tiles(Tile& tile, int x, const float* in) const {
    tile.left = g_.w.origin(x);
    const int step = kColumns * g_.w.stride * g_.w.dilation;
    const int last = tile.left + ((kColumns - 1) * g_.w.stride + g_.w.window - 1) * g_.w.dilation;
    const bool inside = tile.left >= 0 && last < g_.w.in;
    tile.in = inside ? in + static_cast<std::size_t>(tile.left) * tile_pixel() : in;
    tile.count = inside ? std::min(tile.count, (g_.w.in - 1 - last) / step + 1) : 1;
    inside ? tiles_.inner(tile) : tiles_.edge(tile);
  }

  void run_pixels(Tile& tile, const float* in, const float* filter, float* out) const {
    tile.in_stride = size(g_.w.stride) * tile_pixel();
    tile.out_stride = out_pixel();
    const int reach = (g_.w.window - 1) * g_.w.dilation;
    for (int x = 0; x < g_.w.out; x += tile.count) {
      const int left = g_.w.origin(x);
      const int first = g_.w.first_tap(left);
      tile.columns = std::max(g_.w.end_tap(left) - first, 0);
      // Pixels with whole windows are computed together.
      const bool whole = tile.columns == g_.w.window;
      tile.count = whole ? std::min((g_.w.in - 1 - left - reach) / g_.w.stride + 1, g_.w.out - x) : 1;
      tile.out = out + size(x) * out_pixel();
      tile.in = in;
      tile.filter = filter;
      if (tile.columns > 0) {
        tile.in += size(left + first * g_.w.dilation) * tile_pixel();
        tile.filter += size(first) * tile.filter_tap;
      }
      can_group_pixels() && size(tile.count) >= kGroup ? run_pixel_groups(tile) : depthwise::pixels(tile);
    }
  }

  // The last group overlaps the one before.
  static void run_pixel_groups(Tile tile) {
    const auto pixels = static_cast<std::size_t>(tile.count);
    const std::size_t rest = (pixels - kGroup) * tile.out_stride;
    const float* const last_in = tile.in + rest;
    float* const last_out = tile.out + rest;
    tile.channels *= kGroup;
    tile.in_stride = tile.out_stride *= kGroup;
    tile.count = static_cast<int>(pixels / kGroup);
    depthwise::pixels(tile);
    if (pixels % kGroup == 0) return;
    tile.in = last_in;
    tile.out = last_out;
    tile.count = 1;
    depthwise::pixels(tile);
  }

  ConvAttrs attrs_;
  ConvGeometry g_;
  int multiplier_;
  ColumnBias bias_;
  const float* x_;
  const float* filter_;
  float* out_;
  depthwise::TileFns tiles_;
  Scratch<float> packed_;
  Scratch<float> biases_;
  Scratch<float> zeros_;
  const PostOp* post_op_;
};

}  // namespace

void depthwise_conv2d(const KernelArgs& args) { depthwise_conv2d_with_post_op(args, nullptr); }

void depthwise_conv2d_with_post_op(const KernelArgs& args, const PostOp* post_op) {
  const Depthwise convolution(args, post_op);
  const auto rows = static_cast<std::size_t>(convolution.rows());
  const std::size_t grain = grain_size(convolution.row_work());
  const std::size_t size = convolution.scratch_size();
  const int threads = threads_for(rows, grain);
  Scratch<float> scratch(static_cast<std::size_t>(threads), size);
  parallel_for(rows, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    convolution.run(static_cast<int>(begin), static_cast<int>(end),
                    scratch.data() + size * static_cast<std::size_t>(slot));
  });
}

}  // namespace tenure::cpu
