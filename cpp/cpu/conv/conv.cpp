#include <algorithm>
#include <vector>

#include "cpu/conv/conv_epilogue.h"
#include "cpu/conv/winograd.h"
#include "cpu/elementwise/chain.h"
#include "cpu/gemm/gemm.h"
#include "cpu/gemm/packed_kernels.h"
#include "cpu/kernels.h"
#include "cpu/threads/parallel.h"
#include "cpu/threads/scratch.h"
#include "shape_util/conv.h"

namespace tenure::cpu {
namespace {

// Indirection buffer of the windows of a block of output pixels: pointers into the image, or to zeros in the
// padding.
class Im2colIndirection {
 public:
  // True if one table holds the windows of `pixels` pixels.
  static bool fits_table(const ConvGeometry& g, int pixels) {
    return pixels <= gemm::kMC && pixels <= kTableSize / (g.h.window * g.w.window);
  }

  // `x` is the first image, offset to the group's first channel; blocks have at most `most` pixels.
  Im2colIndirection(const ConvGeometry& geometry, const float* x, int most)
      : g_(geometry),
        first_(x),
        x_(x),
        merges_taps_(can_merge_taps(geometry)),
        taps_(g_.h.window * (merges_taps_ ? 1 : g_.w.window)),
        depth_(g_.group_in() * (merges_taps_ ? g_.w.window : 1)),
        block_(std::clamp(kTableSize / taps_, gemm::kMR, most)),
        in_(static_cast<std::size_t>(taps_), static_cast<std::size_t>(block_)),
        zeros_(static_cast<std::size_t>(depth_)),
        patches_(merges_taps_ && reaches_outside(geometry) ? in_.size() : 0,
                 static_cast<std::size_t>(depth_)) {
    std::fill_n(zeros_.data(), zeros_.size(), 0.0F);
  }

  int block() const { return block_; }

  // Sets the pixel that next() begins with, counted through all images.
  void move_to(int pixel) {
    x_out_ = pixel % g_.w.out;
    y_out_ = pixel / g_.w.out % g_.h.out;
    x_ = first_ + static_cast<std::size_t>(pixel / g_.w.out / g_.h.out * g_.h.in) * row_size();
  }

  // Returns the windows of the next `count` pixels, at most block(); the products of the i-th go to out[i].
  gemm::IndirectionBuffer next(int count, float* const* out) {
    for (int at = 0; at < count;) {
      const int run = std::min(count - at, g_.w.out - x_out_);
      add(at, run);
      at += run;
      x_out_ += run;
      if (x_out_ < g_.w.out) break;
      x_out_ = 0;
      if (++y_out_ < g_.h.out) continue;
      y_out_ = 0;
      x_ += static_cast<std::size_t>(g_.h.in) * row_size();
    }
    return {in_.data(), static_cast<std::size_t>(block_), taps_, depth_, out, count};
  }

 private:
  static constexpr int kTableSize = 1 << 14;

  // True if windows cross the left or the right edge of the image.
  static bool reaches_outside(const ConvGeometry& g) {
    return g.w.origin(0) < 0 || g.w.origin(g.w.out - 1) > g.w.in - g.w.window;
  }

  // True if the taps of a window's row are one contiguous piece. Where channels are few, one long piece is
  // faster than many short ones, and the copies at the image's edges stay small.
  static bool can_merge_taps(const ConvGeometry& g) {
    constexpr int kMaxMergedDepth = 64;
    constexpr int kFewChannels = 4;
    if (g.groups > 1 || g.w.dilation > 1 || g.w.window == 1 || g.h.window > kMaxMergedDepth) return false;
    return (g.w.window <= kMaxMergedDepth && g.in_channels <= kMaxMergedDepth / g.w.window) ||
           (g.in_channels <= kFewChannels && !reaches_outside(g));
  }

  std::size_t row_size() const { return static_cast<std::size_t>(g_.w.in) * pixel_size(); }
  std::size_t pixel_size() const { return static_cast<std::size_t>(g_.in_channels); }

  // Fills the pointers of a run of pixels of one output row, from slot `at` on. Not inlined into convolve():
  // engines compile short functions with hot loops early.
  [[gnu::noinline]] void add(int at, int run) {
    const std::int32_t top = g_.h.origin(y_out_);
    const int row_taps = merges_taps_ ? 1 : g_.w.window;
    const std::int32_t inside = merges_taps_ ? std::max(g_.w.in - g_.w.window + 1, 0) : g_.w.in;
    for (int tap = 0; tap < taps_; ++tap) {
      const float** in = in_.data() + tap * block_ + at;
      const std::int32_t y = top + tap / row_taps * g_.h.dilation;
      if (y < 0 || y >= g_.h.in) {
        std::fill_n(in, run, zeros_.data());
        continue;
      }
      const float* row = x_ + static_cast<std::size_t>(y) * row_size();
      const std::int32_t left = g_.w.origin(x_out_) + tap % row_taps * g_.w.dilation;
      // Returns the first slot whose taps begin in `column` or behind it. Most runs lie inside, and need no
      // division.
      const auto slot_at = [&](std::int64_t column) {
        if (column <= left) return 0;
        if (column > left + std::int64_t{run - 1} * g_.w.stride) return run;
        return static_cast<int>((column - left + g_.w.stride - 1) / g_.w.stride);
      };
      const auto outside = [&](int i) {
        return merges_taps_ ? patch(row, left + i * g_.w.stride, tap * block_ + at + i) : zeros_.data();
      };
      const int begin = slot_at(0);
      const int end = std::max(slot_at(inside), begin);
      for (int i = 0; i < begin; ++i) in[i] = outside(i);
      if (begin < end) {
        const float* first = row + static_cast<std::size_t>(left + begin * g_.w.stride) * pixel_size();
        gemm::fill_row_pointers(first, static_cast<std::size_t>(g_.w.stride) * pixel_size(), end - begin,
                                in + begin);
      }
      for (int i = end; i < run; ++i) in[i] = outside(i);
    }
  }

  // Copies a row of taps that crosses the image's edge, with zeros outside: too few floats for a call of
  // memcpy().
  const float* patch(const float* row, std::int32_t left, int slot) {
    float* patch = patches_.data() + static_cast<std::size_t>(slot) * static_cast<std::size_t>(depth_);
    const int begin = g_.w.first_tap(left) * g_.in_channels;
    const int end = g_.w.end_tap(left) * g_.in_channels;
    // Wraps around if `left` is negative; the sums of taps inside the image are right all the same.
    const std::size_t from = static_cast<std::size_t>(left) * pixel_size();
    for (int i = 0; i < depth_; ++i) {
      patch[i] = i >= begin && i < end ? row[from + static_cast<std::size_t>(i)] : 0.0F;
    }
    return patch;
  }

  const ConvGeometry& g_;
  const float* first_;
  const float* x_;
  bool merges_taps_;
  int taps_;
  int depth_;
  int block_;
  Scratch<const float*> in_;
  Scratch<float> zeros_;
  Scratch<float> patches_;
  std::int32_t y_out_ = 0;
  std::int32_t x_out_ = 0;
};

// Returns the rows of a block. For few pixels blocks are smaller, so that each thread has two.
int block_rows(int pixels, int threads) {
  if (threads == 1) return gemm::kMC;
  const int tiles = (pixels + 2 * threads * gemm::kMR - 1) / (2 * threads * gemm::kMR);
  return std::clamp(tiles * gemm::kMR, gemm::kMR, gemm::kMC);
}

void convolve(const ConvGeometry& g, const float* x, const gemm::Panels& filter, float* out, int pixels,
              const gemm::Epilogue& epilogue) {
  const auto channels = static_cast<std::size_t>(g.out_channels);
  if (g.groups == 1 && is_pointwise(g)) {
    const auto depth = static_cast<std::size_t>(g.in_channels);
    return gemm::multiply(x, depth, pixels, g.in_channels, filter, out, channels, epilogue);
  }
  const std::size_t pixel_work = static_cast<std::size_t>(g.h.window) * static_cast<std::size_t>(g.w.window) *
                                 static_cast<std::size_t>(g.group_in()) *
                                 static_cast<std::size_t>(g.group_out());
  const int threads = threads_for(static_cast<std::size_t>(pixels), grain_size(pixel_work));
  std::vector<Im2colIndirection> windows;
  windows.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) windows.emplace_back(g, x, block_rows(pixels, threads));
  const int block = windows[0].block();
  const auto blocks = static_cast<std::size_t>((pixels + block - 1) / block);
  const std::size_t grain = grain_size(static_cast<std::size_t>(block) * pixel_work);
  parallel_for(blocks, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    Im2colIndirection& at = windows[static_cast<std::size_t>(slot)];
    float* rows[gemm::kMC];
    const int last = std::min(static_cast<int>(end) * block, pixels);
    at.move_to(static_cast<int>(begin) * block);
    for (int first = static_cast<int>(begin) * block; first < last; first += block) {
      const int count = std::min(block, last - first);
      gemm::fill_row_pointers(out + static_cast<std::size_t>(first) * channels, channels, count, rows);
      gemm::multiply(at.next(count, rows), filter, epilogue);
    }
  });
}

// Convolves with an unpacked filter of row stride `step`, for as many pixels as one table holds.
void convolve_packing(const ConvGeometry& g, const float* x, const float* filter, std::size_t step,
                      float* out, int pixels, const gemm::Epilogue& epilogue) {
  Im2colIndirection windows(g, x, pixels);
  float* rows[gemm::kMC];
  gemm::fill_row_pointers(out, step, pixels, rows);
  windows.move_to(0);
  gemm::multiply_packing(windows.next(pixels, rows), filter, step, g.group_out(), epilogue);
}

void convolve_tiles(winograd::Form form, const ConvGeometry& g, const float* x, const gemm::PackedB& filter,
                    float* out, const gemm::Epilogue& epilogue) {
  const auto convolution = winograd::convolution(form, g, x, filter, epilogue, out);
  const auto blocks = static_cast<std::size_t>(convolution->blocks());
  const std::size_t grain = grain_size(convolution->block_work());
  const int threads = threads_for(blocks, grain);
  const std::size_t size = convolution->scratch_size();
  Scratch<float> scratch(static_cast<std::size_t>(threads), size);
  parallel_for(blocks, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    float* own = scratch.data() + static_cast<std::size_t>(slot) * size;
    for (std::size_t block = begin; block < end; ++block) convolution->run(static_cast<int>(block), own);
  });
}

int reduction_depth(const Tensor& filter) { return filter.dim(0) * filter.dim(1) * filter.dim(2); }

void run(const KernelArgs& args, const PackedWeight* packed_filter, const PostOp* post_op) {
  const auto attrs = args.attrs.as<ConvAttrs>();
  const Tensor& filter = args.in[1];
  const ConvGeometry g = conv2d_geometry(args.in[0].shape(), filter.shape(), attrs);
  const ColumnBias bias(args.in, g.out_channels);
  const gemm::Epilogue all_channels = make_conv_epilogue(args, bias);
  const int pixels = g.batch * g.h.out * g.w.out;
  const int depth = reduction_depth(filter);
  const auto channels = static_cast<std::size_t>(g.out_channels);
  const winograd::Form form = winograd::choose_form(g, packed_filter != nullptr);
  if (form != winograd::Form::kNone) {
    gemm::PackedB transformed;
    if (!packed_filter)
      transformed = winograd::transform(form, filter.data<float>(), g.in_channels, g.out_channels);
    convolve_tiles(form, g, args.in[0].data<float>(), packed_filter ? packed_filter->panels : transformed,
                   args.out.mutable_data<float>(), all_channels);
    if (post_op) run_post_op(*post_op, args.out.elements());
    return;
  }
  for (int group = 0; group < g.groups; ++group) {
    const int first = group * g.group_out();
    const float* weights = packed_filter ? nullptr : filter.data<float>() + first;
    gemm::Epilogue epilogue = all_channels;
    if (epilogue.bias) epilogue.bias += first;
    if (epilogue.slopes) epilogue.slopes += first;
    epilogue.post_op = g.groups == 1 ? post_op : nullptr;
    epilogue.scale = packed_filter ? packed_filter->scales() : nullptr;
    const float* from =
        args.in[0].data<float>() + static_cast<std::size_t>(group) * static_cast<std::size_t>(g.group_in());
    float* to = args.out.mutable_data<float>() + first;
    gemm::PackedB packed;
    if (!packed_filter && gemm::should_pack(pixels, depth, g.group_out())) {
      if (Im2colIndirection::fits_table(g, pixels)) {
        convolve_packing(g, from, weights, channels, to, pixels, epilogue);
        continue;
      }
      packed = gemm::pack(weights, depth, g.group_out(), channels, false);
    }
    const gemm::Panels panels = packed_filter ? packed_filter->panels.panels()
                                : packed      ? packed.panels()
                                              : gemm::Panels::plain(weights, g.group_out(), channels);
    convolve(g, from, panels, to, pixels, epilogue);
  }
  // Groups are computed in turn, so that no part of the output is complete before the last group.
  if (post_op && g.groups > 1) run_post_op(*post_op, args.out.elements());
}

// True if an image of one channel is convolved to one channel, where a product would compute seven columns of
// its panel in vain. Only where a depthwise convolution computes pixels in groups, and is faster.
bool should_use_depthwise(const KernelArgs& args) {
  constexpr int kMinWidth = 20;
  const Shape& x = args.in[0].shape();
  const Shape& filter = args.in[1].shape();
  return x[3] == 1 && filter[3] == 1 && x[2] >= kMinWidth && args.attrs.as<ConvAttrs>().stride_w == 1 &&
         !args.in.has(kResidual) && !args.in.has(kSlopes);
}

}  // namespace

void conv2d(const KernelArgs& args) { conv2d_with_post_op(args, nullptr); }
void conv2d_with_post_op(const KernelArgs& args, const PostOp* post_op) {
  should_use_depthwise(args) ? depthwise_conv2d_with_post_op(args, post_op) : run(args, nullptr, post_op);
}

PackedWeight pack_conv2d(const Tensor& x, const Tensor& filter, const ConvAttrs& attrs) {
  const int channels = filter.dim(3);
  const winograd::Form form = winograd::choose_form(conv2d_geometry(x.shape(), filter.shape(), attrs), true);
  if (form != winograd::Form::kNone) {
    PackedWeight packed{winograd::transform(form, filter.data<float>(), filter.dim(2), channels), {}, true};
    filter.storage()->evict();
    return packed;
  }
  return PackedWeightData::prepare(filter, channels, false);
}

void conv2d_packed(const KernelArgs& args, const PackedWeight& filter, const PostOp* post_op) {
  run(args, &filter, post_op);
}

}  // namespace tenure::cpu
