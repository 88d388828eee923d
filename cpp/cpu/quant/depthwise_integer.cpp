#include <algorithm>
#include <optional>

#include "cpu/quant/integer_images.h"
#include "cpu/quant/packed_integers_kernel.h"

namespace tenure::cpu {
namespace {

using simd::I16;
using simd::I32;
using simd::kLanes;

/// Output pixels of a tile: the weights are loaded once for all of them.
constexpr int kColumns = 4;
constexpr int kVectors = kIntegerNR / kLanes;

/// Neighbouring output pixels of eight channels.
struct Tile {
  const std::int16_t* in = nullptr;       ///< first tap of the first pixel
  std::size_t in_stride = 0;              ///< from a pixel to the next
  const std::int32_t* offsets = nullptr;  ///< of the taps, two for each of `pairs`
  int pairs = 0;
};

/// Computes the sums of kCount pixels with a panel.
template <int kCount, class Element>
void add_taps(const Tile& tile, const Element* panel, I32 (&sum)[kCount][kVectors]) {
  for (int i = 0; i < kCount; ++i) sum[i][0] = sum[i][1] = I32(0);
#pragma GCC unroll 1
  for (int pair = 0; pair < tile.pairs; ++pair, panel += 2 * kIntegerNR) {
    const I16 low = I16::load(panel);
    const I16 high = I16::load(panel + kIntegerNR);
    const std::int16_t* first = tile.in + tile.offsets[2 * pair];
    const std::int16_t* second = tile.in + tile.offsets[2 * pair + 1];
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i, first += tile.in_stride, second += tile.in_stride) {
      const I16 x = I16::load(first);
      const I16 y = I16::load(second);
      sum[i][0] = sum[i][0] + simd::dot_pairs(simd::interleave_low(x, y), low);
      sum[i][1] = sum[i][1] + simd::dot_pairs(simd::interleave_high(x, y), high);
    }
  }
}

/// Columns of the output that a panel computes.
struct PanelOutput {
  std::byte* to = nullptr;
  std::size_t stride = 0;  ///< elements from a pixel to the next
  int columns = 0;
  bool stores_bytes = false;

  void store(const VectorEpilogue (&epilogue)[kVectors], const ByteStore& bytes, const I32 (&sum)[kVectors]) {
    if (stores_bytes) {
      bytes.store(reinterpret_cast<std::uint8_t*>(to), epilogue[0].apply(sum[0]), epilogue[1].apply(sum[1]),
                  columns);
      to += stride;
      return;
    }
    for (int v = 0; v < kVectors; ++v) {
      if (v * kLanes < columns)
        store_up_to(reinterpret_cast<std::int32_t*>(to) + v * kLanes, epilogue[v].apply(sum[v]),
                    static_cast<std::size_t>(columns - v * kLanes));
    }
    to += stride * sizeof(std::int32_t);
  }
};

/// Computes `count` pixels of a row with a panel. Returns how many were computed.
template <int kCount, class Element>
int compute_pixels(Tile& tile, const Element* panel, const VectorEpilogue (&epilogue)[kVectors],
                   const ByteStore& bytes, int count, PanelOutput& out) {
  int done = 0;
#pragma GCC unroll 1
  for (; done + kCount <= count; done += kCount) {
    I32 sum[kCount][kVectors];
    add_taps<kCount>(tile, panel, sum);
    tile.in += kCount * tile.in_stride;
    for (const I32(&pixel)[kVectors] : sum) out.store(epilogue, bytes, pixel);
  }
  return done;
}

/// The channels of padded images, each repeated for the filters that read it.
class RepeatedChannels {
 public:
  RepeatedChannels(const std::int16_t* from, std::size_t values, int times)
      : values_(values * static_cast<std::size_t>(times) + 2 * kIntegerNR) {
    std::int16_t* to = values_.data();
    for (const std::int16_t* end = from + values; from != end; ++from) to = std::fill_n(to, times, *from);
  }
  const std::int16_t* data() const { return values_.data(); }

 private:
  Scratch<std::int16_t> values_;
};

class Depthwise {
 public:
  Depthwise(const KernelArgs& args, const ConvGeometry& g, const IntegerPanels& panels,
            const IntegerEpilogue& epilogue)
      : g_(g),
        panels_(panels),
        epilogue_(epilogue),
        images_(args.in[0], g_),
        taps_(g_.h.window * g_.w.window),
        offsets_(static_cast<std::size_t>(taps_) + 1),
        out_(args.out.mutable_data<std::byte>()) {
    for (int tap = 0; tap < taps_; ++tap) {
      offsets_[static_cast<std::size_t>(tap)] =
          images_.offset(tap / g_.w.window, tap % g_.w.window) * g_.group_out();
    }
    // If the number of taps is odd, the last one is paired with a weight of 0.
    offsets_[static_cast<std::size_t>(taps_)] = 0;
    if (g_.group_out() > 1) repeated_.emplace(images_.first_window(0), images_.size(), g_.group_out());
  }

  std::size_t rows() const { return static_cast<std::size_t>(g_.batch) * static_cast<std::size_t>(g_.h.out); }
  std::size_t row_work() const { return row_size() * (static_cast<std::size_t>(taps_) / 2 + 4); }

  void run(std::size_t begin, std::size_t end) const {
    for (std::size_t row = begin; row < end; ++row) {
      const std::int16_t* in = images_.first_window(row);
      if (repeated_) {
        const auto at = static_cast<std::size_t>(in - images_.first_window(0));
        in = repeated_->data() + at * static_cast<std::size_t>(g_.group_out());
      }
      for (int number = 0; number < panels_.panels(); ++number) compute_panel(in, number, row * row_size());
    }
  }

 private:
  std::size_t row_size() const {
    return static_cast<std::size_t>(g_.w.out) * static_cast<std::size_t>(g_.out_channels);
  }

  void compute_panel(const std::int16_t* in, int number, std::size_t first_element) const {
    const std::size_t first = static_cast<std::size_t>(number) * panels_.panel_size();
    switch (panels_.element) {
      case PanelElement::kInt8:
        return compute_row(in, static_cast<const std::int8_t*>(panels_.data) + first, number, first_element);
      case PanelElement::kUint8:
        return compute_row(in, static_cast<const std::uint8_t*>(panels_.data) + first, number, first_element);
      case PanelElement::kInt16:
        return compute_row(in, static_cast<const std::int16_t*>(panels_.data) + first, number, first_element);
    }
  }

  template <class Element>
  void compute_row(const std::int16_t* in, const Element* panel, int number,
                   std::size_t first_element) const {
    const int column = number * kIntegerNR;
    const int left = std::min(kIntegerNR, g_.out_channels - column);
    // The second half may not exist, and not be readable.
    const VectorEpilogue epilogue[kVectors] = {{epilogue_, column},
                                               {epilogue_, left > kLanes ? column + kLanes : column}};
    const ByteStore bytes(epilogue_);
    const std::size_t size = epilogue_.stores_bytes ? 1 : sizeof(std::int32_t);
    PanelOutput out{out_ + (first_element + static_cast<std::size_t>(column)) * size,
                    static_cast<std::size_t>(g_.out_channels), left, epilogue_.stores_bytes};
    Tile tile{in + column, images_.window_stride() * static_cast<std::size_t>(g_.group_out()),
              offsets_.data(), (taps_ + 1) / 2};
    const int done = compute_pixels<kColumns>(tile, panel, epilogue, bytes, g_.w.out, out);
    compute_pixels<1>(tile, panel, epilogue, bytes, g_.w.out - done, out);
  }

  const ConvGeometry& g_;
  const IntegerPanels& panels_;
  const IntegerEpilogue& epilogue_;
  PaddedImages<std::int16_t> images_;
  int taps_;
  Scratch<std::int32_t> offsets_;
  std::byte* out_;
  std::optional<RepeatedChannels> repeated_;
};

}  // namespace

void convolve_integers_depthwise(const KernelArgs& args, const IntegerPanels* prepared) {
  const auto attrs = args.attrs.as<IntegerConvAttrs>();
  const ConvGeometry geometry =
      conv2d_geometry(args.in[0].shape(), args.in[1].shape(), get_conv_attrs(attrs));
  std::optional<PanelsOfMatrix> packed;
  const IntegerPanels& panels =
      prepared
          ? *prepared
          : packed.emplace(args.in[1], geometry.h.window * geometry.w.window, geometry.out_channels).panels();
  const ConvEpilogue epilogue(args, attrs, geometry.out_channels);
  const Depthwise convolution(args, geometry, panels, *epilogue);
  parallel_for(convolution.rows(), grain_size(convolution.row_work()),
               [&](std::size_t begin, std::size_t end) { convolution.run(begin, end); });
}

}  // namespace tenure::cpu
