#include <algorithm>
#include <optional>

#include "cpu/kernels.h"
#include "cpu/quant/integer_images.h"
#include "cpu/quant/packed_integers_kernel.h"

namespace tenure::cpu {
namespace {

/// Rows of a block: their sums with a panel and their pixels stay in the first-level cache. Whole tiles of
/// bytes, and of int16.
constexpr int kMC = 60;
/// Blocks are multiples of the rows of a tile, unless they are the last. Those of few rows have lower tiles,
/// so that all threads have some.
constexpr std::size_t kByteRows = 6;
constexpr std::size_t kLowByteRows = 3;
constexpr std::size_t kShortRows = 4;

ConvGeometry get_geometry(Inputs in, const IntegerConvAttrs& attrs) {
  return conv2d_geometry(in[0].shape(), in[1].shape(), get_conv_attrs(attrs));
}

bool is_depthwise(Inputs in) { return in[1].dim(2) == 1 && in[0].dim(3) > 1; }

/// Returns how many runs of adjacent elements a window has: its rows, or its taps if they are dilated.
int count_runs(const ConvGeometry& g) { return g.w.dilation == 1 ? g.h.window : g.h.window * g.w.window; }

/// Returns the runs that panels of the filter have: those of whole units need no padding.
int panel_runs(const ConvGeometry& g) {
  const int runs = count_runs(g);
  const int depth = g.in_channels * g.h.window * g.w.window;
  return runs > 0 && depth / runs % kDepthUnit != 0 ? runs : 1;
}

/// The positions of a window's elements: of pairs of int16, or of eight bytes.
template <class T>
class WindowOffsets {
 public:
  WindowOffsets(const ConvGeometry& g, const PaddedImages<T>& images, int padded_depth)
      : offsets_(static_cast<std::size_t>(padded_depth / kUnit)) {
    const int runs = count_runs(g);
    const int taps = g.w.dilation == 1 ? 1 : g.w.window;
    std::int32_t* to = offsets_.data();
    for (int run = 0; run < runs; ++run) {
      const std::int32_t first = images.offset(run / taps, run % taps);
      for (int k = 0; k < padded_depth / runs; k += kUnit) *to++ = first + k;
    }
  }
  const std::int32_t* data() const { return offsets_.data(); }
  int count() const { return static_cast<int>(offsets_.size()); }

 private:
  static constexpr int kUnit = sizeof(T) == 1 ? kDepthUnit : 2;

  Scratch<std::int32_t> offsets_;
};

/// Calls compute(windows, count, first, scratch) for blocks of windows of the output's pixels from `first`
/// on, on several threads. `scratch` has kMC * kIntegerNR elements.
template <class T, class Compute>
void compute_blocks(const PaddedImages<T>& images, std::size_t pixels, const IntegerPanels& panels,
                    const Compute& compute) {
  // Smaller blocks where they would be fewer than the threads.
  const std::size_t share =
      (pixels + static_cast<std::size_t>(thread_count()) - 1) / static_cast<std::size_t>(thread_count());
  const std::size_t unit = sizeof(T) > 1 ? kShortRows : share < 2 * kByteRows ? kLowByteRows : kByteRows;
  const auto block = std::min<std::size_t>((share + unit - 1) / unit * unit, kMC);
  const std::size_t blocks = (pixels + block - 1) / block;
  const std::size_t grain = grain_size(block * static_cast<std::size_t>(panels.padded_depth()) *
                                       static_cast<std::size_t>(panels.columns) / 2);
  const int threads = threads_for(blocks, grain);
  Scratch<std::int32_t> scratch(static_cast<std::size_t>(threads), sums_size(kMC));
  parallel_for(blocks, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    std::int32_t* const own = scratch.data() + static_cast<std::size_t>(slot) * sums_size(kMC);
    const T* windows[kMC];
    for (std::size_t first = begin * block; first < std::min(end * block, pixels); first += block) {
      const int count = static_cast<int>(std::min(block, pixels - first));
      images.find_windows(first, count, windows);
      compute(windows, count, first, own);
    }
  });
}

std::size_t count_pixels(const KernelArgs& args, const IntegerPanels& panels) {
  return args.out.elements() / static_cast<std::size_t>(panels.columns);
}

/// Multiplies the windows of images of int16 by the panels.
void convolve_shorts(const KernelArgs& args, const IntegerConvAttrs& attrs, const ConvGeometry& g,
                     const IntegerPanels& panels) {
  const PaddedImages<std::int16_t> images(args.in[0], g);
  const WindowOffsets<std::int16_t> offsets(g, images, panels.padded_depth());
  const ConvEpilogue epilogue(args, attrs, panels.columns);
  void* const out = args.out.mutable_data<std::byte>();
  const auto compute = [&](const std::int16_t* const* windows, int count, std::size_t first,
                           std::int32_t* sums) {
    const IntegerRows rows{.rows = count, .pointers = windows, .pairs = {offsets.data(), offsets.count()}};
    for (int number = 0; number < panels.panels(); ++number) {
      multiply_panel(rows, panels, number, sums);
      finish_panel(sums, static_cast<int>(first), count, number * kIntegerNR, panels.columns, *epilogue, out);
    }
  };
  compute_blocks(images, count_pixels(args, panels), panels, compute);
}

/// Multiplies the windows of images by the panels, as bytes that are distances from `low`.
void convolve_bytes(const KernelArgs& args, const IntegerConvAttrs& attrs, const ConvGeometry& g,
                    const IntegerPanels& panels, std::int32_t low) {
  const PaddedImages<std::uint8_t> images(args.in[0], g, low);
  const WindowOffsets<std::uint8_t> offsets(g, images, panels.padded_depth());
  const ByteConvEpilogue epilogue(args, attrs, panels.column_sums, panels.columns, low);
  const int runs = count_runs(g);
  const bool are_paired = runs > 0 && panels.padded_depth() / runs % (2 * kDepthUnit) == 0;
  const auto compute = [&](const std::uint8_t* const* windows, int count, std::size_t first,
                           std::int32_t* scratch) {
    const ByteRows rows{windows, count, offsets.data(), offsets.count(), are_paired};
    const auto* panel = static_cast<const std::int8_t*>(panels.data);
    for (int column = 0; column < panels.columns; column += kIntegerNR, panel += panels.panel_size()) {
      epilogue.apply(column, first, count, reinterpret_cast<std::byte*>(scratch),
                     [&](const ByteEpilogue& panel_epilogue, std::byte* to, std::size_t stride) {
                       panels.multiply_bytes(rows, panel, panel_epilogue, to, stride);
                     });
    }
  };
  compute_blocks(images, count_pixels(args, panels), panels, compute);
}

}  // namespace

void convolve_integers(const KernelArgs& args, const IntegerPanels* prepared) {
  const auto attrs = args.attrs.as<IntegerConvAttrs>();
  const ConvGeometry geometry = get_geometry(args.in, attrs);
  const int columns = geometry.out_channels;
  std::optional<PanelsOfMatrix> packed;
  const IntegerPanels& panels =
      prepared ? *prepared
               : packed
                     .emplace(args.in[1], geometry.in_channels * geometry.h.window * geometry.w.window,
                              columns, 0, panel_runs(geometry), true)
                     .panels();
  std::optional<PairedPanels> paired;
  if (panels.multiply_bytes) {
    if (const auto low = find_byte_low(args.in[0]))
      return convolve_bytes(args, attrs, geometry, panels, *low);
    paired.emplace(panels);
  }
  convolve_shorts(args, attrs, geometry, paired ? paired->panels() : panels);
}

std::unique_ptr<PreparedKernel> prepare_integer_filter(Inputs in, const IntegerConvAttrs& attrs,
                                                       const ByteKernels& bytes) {
  const int columns = in[1].shape().back();
  if (is_depthwise(in)) return prepare_depthwise_integers(in, attrs, bytes.convolve_depthwise);
  return prepare_integers(convolve_integers, in[1], columns, panel_runs(get_geometry(in, attrs)),
                          bytes.multiply);
}

void conv2d_integer(const KernelArgs& args) {
  is_depthwise(args.in) ? convolve_integers_depthwise(args, nullptr) : convolve_integers(args, nullptr);
}

}  // namespace tenure::cpu
