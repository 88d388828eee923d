#include <algorithm>
#include <optional>

#include "cpu/kernels.h"
#include "cpu/quant/integer_images.h"
#include "cpu/quant/packed_integers_kernel.h"

namespace tenure::cpu {
namespace {

/// Rows of a block: their sums with a panel and their pixels stay in the first-level cache.
constexpr int kMC = 64;

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

/// Computes the sums of a block of windows with a panel.
void multiply_windows(const std::uint8_t* const* windows, int count,
                      const WindowOffsets<std::uint8_t>& offsets, const IntegerPanels& panels, int number,
                      std::int32_t* sums) {
  const std::size_t first = static_cast<std::size_t>(number) * panels.panel_size();
  panels.multiply_bytes({windows, count, offsets.data(), offsets.count()},
                        static_cast<const std::int8_t*>(panels.data) + first, sums);
}
void multiply_windows(const std::int16_t* const* windows, int count,
                      const WindowOffsets<std::int16_t>& offsets, const IntegerPanels& panels, int number,
                      std::int32_t* sums) {
  multiply_panel({.rows = count, .pointers = windows, .pairs = {offsets.data(), offsets.count()}}, panels,
                 number, sums);
}

/// Multiplies the windows of images, int16 or bytes, by the panels.
template <class T>
void multiply_images(const KernelArgs& args, const ConvGeometry& g, const PaddedImages<T>& images,
                     const IntegerPanels& panels, const IntegerEpilogue& epilogue) {
  const WindowOffsets<T> offsets(g, images, panels.padded_depth());
  const std::size_t pixels = args.out.elements() / static_cast<std::size_t>(panels.columns);
  // Smaller blocks where they would be fewer than the threads.
  const std::size_t share =
      (pixels + static_cast<std::size_t>(thread_count()) - 1) / static_cast<std::size_t>(thread_count());
  const auto block = std::min<std::size_t>((share + 3) / 4 * 4, kMC);
  const std::size_t blocks = (pixels + block - 1) / block;
  const std::size_t grain = grain_size(block * static_cast<std::size_t>(panels.padded_depth()) *
                                       static_cast<std::size_t>(panels.columns) / 2);
  const int threads = threads_for(blocks, grain);
  Scratch<std::int32_t> sums(static_cast<std::size_t>(threads), sums_size(kMC));
  void* const out = args.out.mutable_data<std::byte>();
  parallel_for(blocks, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    std::int32_t* const own = sums.data() + static_cast<std::size_t>(slot) * sums_size(kMC);
    const T* windows[kMC];
    for (std::size_t first = begin * block; first < std::min(end * block, pixels); first += block) {
      const int rows = static_cast<int>(std::min(block, pixels - first));
      images.find_windows(first, rows, windows);
      for (int number = 0; number < panels.panels(); ++number) {
        multiply_windows(windows, rows, offsets, panels, number, own);
        finish_panel(own, static_cast<int>(first), rows, number * kIntegerNR, panels.columns, epilogue, out);
      }
    }
  });
}

IntegerRange find_range(const Tensor& x) {
  return x.dtype() == DType::kInt32 ? find_integer_range(x.data<std::int32_t>(), x.elements())
                                    : find_integer_range(x.data<float>(), x.elements());
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
  ConvEpilogue epilogue(args, attrs, columns);
  if (panels.multiply_bytes) {
    constexpr std::int64_t kMaxByte = 255;
    const IntegerRange range = find_range(args.in[0]);
    if (std::int64_t{range.high} - range.low <= kMaxByte) {
      epilogue.add_column_sums(panels, range.low);
      return multiply_images(args, geometry, PaddedImages<std::uint8_t>(args.in[0], geometry, range.low),
                             panels, *epilogue);
    }
  }
  std::optional<PairedPanels> paired;
  if (panels.multiply_bytes) paired.emplace(panels);
  multiply_images(args, geometry, PaddedImages<std::int16_t>(args.in[0], geometry),
                  paired ? paired->panels() : panels, *epilogue);
}

std::unique_ptr<PreparedKernel> prepare_integer_filter(Inputs in, const IntegerConvAttrs& attrs,
                                                       ByteKernel multiply_bytes) {
  const int columns = in[1].shape().back();
  if (is_depthwise(in)) return prepare_integers(convolve_integers_depthwise, in[1], columns);
  return prepare_integers(convolve_integers, in[1], columns, panel_runs(get_geometry(in, attrs)),
                          multiply_bytes);
}

void conv2d_integer(const KernelArgs& args) {
  is_depthwise(args.in) ? convolve_integers_depthwise(args, nullptr) : convolve_integers(args, nullptr);
}

}  // namespace tenure::cpu
