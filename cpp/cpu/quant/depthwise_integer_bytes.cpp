#include <optional>

#include "cpu/quant/integer_images.h"
#include "cpu/quant/packed_integers_kernel.h"

namespace tenure::cpu {
namespace {

/// Bytes of a column of the window: kMaxWindowHeight for each of a panel's channels.
constexpr std::size_t kColumnBytes = std::size_t{kIntegerNR} * kMaxWindowHeight;
/// Maximum pixels of a row with its pads that are interleaved. More would be in no cache.
constexpr int kMaxWidth = 1 << 16;

/// Prepared kernel of a depthwise convolution whose filter is also packed for products of bytes.
class DepthwiseBytesKernel final : public PreparedKernel {
 public:
  DepthwiseBytesKernel(PreparedPanels filter, int window_h, int window_w, ByteTapsKernel convolve)
      : filter_(std::move(filter)),
        window_w_(static_cast<std::size_t>(window_w)),
        weights_(static_cast<std::size_t>(filter_.panels.panels()), window_w_ * kColumnBytes),
        convolve_(convolve) {
    pack(window_h);
  }

  void run(const KernelArgs& args) const override {
    const auto attrs = args.attrs.as<IntegerConvAttrs>();
    const ConvGeometry g = conv2d_geometry(args.in[0].shape(), args.in[1].shape(), get_conv_attrs(attrs));
    if (padded_extent(g.w) <= kMaxWidth) {
      if (const auto low = find_byte_low(args.in[0])) return run_on_bytes(args, attrs, g, *low);
    }
    convolve_integers_depthwise(args, &filter_.panels);
  }
  std::size_t bytes() const override { return weights_.size(); }
  const Storage* storage() const override { return filter_.values.get(); }
  bool reads(std::size_t input) const override { return input != 1; }

 private:
  void pack(int window_h) {
    const IntegerPanels& panels = filter_.panels;
    std::fill_n(weights_.data(), weights_.size(), std::int8_t{0});
    const auto* from = static_cast<const std::int8_t*>(panels.data);
    std::int8_t* to = weights_.data();
    for (int number = 0; number < panels.panels(); ++number, from += panels.panel_size()) {
      for (std::size_t j = 0; j < window_w_; ++j, to += kColumnBytes) {
        for (int i = 0; i < window_h; ++i) {
          const std::int8_t* row =
              from + panels.offset(i * static_cast<int>(window_w_) + static_cast<int>(j));
          for (int c = 0; c < kIntegerNR; ++c) to[c * kMaxWindowHeight + i] = row[c * panels.group()];
        }
      }
    }
  }

  void run_on_bytes(const KernelArgs& args, const IntegerConvAttrs& attrs, const ConvGeometry& g,
                    std::int32_t low) const {
    const PaddedImages<std::uint8_t> images(args.in[0], g, low);
    const ByteConvEpilogue epilogue(args, attrs, filter_.panels.column_sums, g.out_channels, low);
    const auto width = static_cast<std::size_t>(g.w.out);
    const std::size_t rows = static_cast<std::size_t>(g.batch) * static_cast<std::size_t>(g.h.out);
    // A pixel of eight channels takes about as long as 64 products of floats.
    const std::size_t grain = grain_size(width * static_cast<std::size_t>(filter_.panels.panels()) * 64);
    const int threads = threads_for(rows, grain);
    const std::size_t interleaved = static_cast<std::size_t>(images.width()) * kColumnBytes;
    const std::size_t each = interleaved + ByteConvEpilogue::scratch_size(width);
    Scratch<std::uint8_t> scratch(static_cast<std::size_t>(threads), each);
    parallel_for(rows, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
      std::uint8_t* const own = scratch.data() + static_cast<std::size_t>(slot) * each;
      ByteTaps taps{.pixel_stride = static_cast<std::size_t>(g.in_channels),
                    .in_pixels = images.width(),
                    .out_pixels = g.w.out,
                    .window_width = g.w.window,
                    .dilation = g.w.dilation,
                    .stride = g.w.stride,
                    .scratch = own};
      for (std::size_t row = begin; row < end; ++row) {
        const std::uint8_t* const first = images.first_window(row);
        taps.weights = weights_.data();
        for (int column = 0; column < g.out_channels; column += kIntegerNR) {
          for (int i = 0; i < kMaxWindowHeight; ++i) {
            // Weights of rows that the window does not have are 0.
            taps.rows[i] = first + images.offset(i < g.h.window ? i : 0, 0) + column;
          }
          epilogue.apply(column, row * width, g.w.out, reinterpret_cast<std::byte*>(own + interleaved),
                         [&](const ByteEpilogue& panel_epilogue, std::byte* to, std::size_t stride) {
                           convolve_(taps, panel_epilogue, to, stride);
                         });
          taps.weights += window_w_ * kColumnBytes;
        }
      }
    });
  }

  PreparedPanels filter_;
  std::size_t window_w_;
  Scratch<std::int8_t> weights_;
  ByteTapsKernel convolve_;
};

}  // namespace

std::unique_ptr<PreparedKernel> prepare_depthwise_integers(Inputs in, const IntegerConvAttrs& attrs,
                                                           ByteTapsKernel convolve_bytes) {
  const ConvGeometry g = conv2d_geometry(in[0].shape(), in[1].shape(), get_conv_attrs(attrs));
  const bool fits = convolve_bytes && g.h.window <= kMaxWindowHeight && g.in_channels == g.out_channels;
  if (!fits || !in[1].has_data() || in[1].elements() == 0)
    return prepare_integers(convolve_integers_depthwise, in[1], g.out_channels);
  PreparedPanels panels = PackedIntegers::prepare(in[1], g.out_channels);
  if (!panels.values) return nullptr;
  if (panels.panels.element != PanelElement::kInt8)
    return prepare_integers(convolve_integers_depthwise, in[1], g.out_channels);
  return std::make_unique<DepthwiseBytesKernel>(std::move(panels), g.h.window, g.w.window, convolve_bytes);
}

}  // namespace tenure::cpu
