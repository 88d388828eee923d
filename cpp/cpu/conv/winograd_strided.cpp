// Winograd convolution of 3 x 3 windows with stride 2. Along each axis, the outer taps read every other
// input: they are a 2-tap filter of stride 1, for which F(2, 2) takes three products for two outputs. The
// middle tap takes two more:
//
//  left  = (d0 - d2) w0 + d1 w1 + d2 (w0 + w2)
//  right = d2 (w0 + w2) + d3 w1 + (d2 - d4) (-w2)
//
// In two dimensions that is 25 products for a tile of 2 x 2 outputs, where sums over windows take 36.
// Products that are added to the same outputs share a sum: nine sums per tile.
#include <algorithm>

#include "cpu/conv/winograd_tiles.h"

namespace tenure::cpu::winograd::strided {
namespace {

using simd::F32;
using simd::kLanes;

constexpr int kOut = 2;              // output pixels of a tile, along each axis
constexpr int kIn = 5;               // input pixels of a tile, and their transformed values, along each axis
constexpr int kTransformedTaps = 4;  // transformed taps of a filter, along each axis
constexpr int kSums = 3;  // along each axis: for the left output only, for both, for the right one only
constexpr int kVectors = gemm::kNR / kLanes;
constexpr int kGroupFloats = kIn * kLanes;  // floats of a row of transformed inputs of four channels
constexpr int kFilterRow = kTransformedTaps * gemm::kNR;
// Tiles that are computed together: registers hold their sums.
constexpr int kPair = 2;
constexpr int kMaxTiles = 64;

// Order of the rows of transformed inputs and taps in memory, which is that of the sums: the row for both
// outputs, then two for the upper and two for the lower one, which share a row of taps.
constexpr int kRows[] = {2, 0, 1, 3, 4};
constexpr int kTapRows[] = {2, 0, 1, 3};

std::size_t size(int value) { return static_cast<std::size_t>(value); }

void transform_input_row(const F32 (&d)[kIn], F32 (&to)[kIn]) {
  to[0] = d[0] - d[2];
  to[1] = d[1];
  to[2] = d[2];
  to[3] = d[3];
  to[4] = d[2] - d[4];
}

void transform_filter_row(const F32 (&w)[3], F32 (&to)[kTransformedTaps]) {
  to[0] = w[0];
  to[1] = w[1];
  to[2] = w[0] + w[2];
  to[3] = F32(0.0F) - w[2];
}

// Transforms the input tile whose pixels' addresses are given. Transformed rows are `row` floats apart.
[[gnu::noinline]] void input_tile(const float* const (&in)[kIn * kIn], int channels, float* to,
                                  std::size_t row) {
  for (int c = 0; c < channels; c += kLanes, to += kGroupFloats) {
    F32 half[kIn][kIn];
    transform_columns<kIn>(
        half, [&](int y, int x) { return load(in[y * kIn + x] + c); }, transform_input_row);
    float* at = to;
#pragma GCC unroll 1
    for (const int y : kRows) {
      F32 transformed_row[kIn];
      transform_input_row(half[y], transformed_row);
      for (int x = 0; x < kIn; ++x) store(at + x * kLanes, transformed_row[x]);
      at += row;
    }
  }
}

// Transforms the filter of one input channel and four output channels. Transformed rows are `row` floats
// apart.
[[gnu::noinline]] void filter_tile(const float* filter, std::size_t tap, float* to, std::size_t row) {
  F32 half[kTransformedTaps][3];
  transform_columns<3>(
      half, [&](int y, int x) { return load(filter + size(3 * y + x) * tap); }, transform_filter_row);
#pragma GCC unroll 1
  for (const int y : kTapRows) {
    F32 transformed_row[kTransformedTaps];
    transform_filter_row(half[y], transformed_row);
    for (int x = 0; x < kTransformedTaps; ++x) store(to + x * gemm::kNR, transformed_row[x]);
    to += row;
  }
}

// Optimization barrier: hides the origin of a value, from which the compiler would derive an address for each
// load of a loop, and keep it.
template <class T>
void optimization_barrier(T& value) {
  asm volatile("" : "+r"(value));
}

// Three sums for each tile of a pair, in registers.
struct Sums {
  // Adds the products of channel `i` of a group of four; returns true if the loop ends here. Between products
  // of the same sums there is an exit that is never taken: otherwise compilers bring them together, and
  // exceed the registers.
  [[gnu::always_inline]] bool step(const float* const (&in)[kPair], const float* filter, int i, int count) {
    add(in, filter, i, 0, 0, 0);
    add(in, filter, i, 2, 2, 1);
    add(in, filter, i, 4, 3, 2);
    if (count == -1 - 2 * i) return true;
    add(in, filter, i, 1, 1, 0);
    add(in, filter, i, 3, 1, 2);
    return count == -2 - 2 * i;
  }
  [[gnu::always_inline]] void add(const float* const (&in)[kPair], const float* filter, int i, int point,
                                  int factor, int to) {
    F32 w[kVectors];
    for (int v = 0; v < kVectors; ++v) w[v] = load(filter + i * kFilterRow + factor * gemm::kNR + v * kLanes);
    for (int t = 0; t < kPair; ++t) {
      const F32 x = F32::load_splat(in[t] + point * kLanes + i);
      for (int v = 0; v < kVectors; ++v) sum[t][to][v] = madd(x, w[v], sum[t][to][v]);
    }
  }
  [[gnu::always_inline]] void add_channel_groups(const float* (&in)[kPair], const float* filter, int count) {
#pragma GCC unroll 1
    for (; count > 0; --count) {
      optimization_barrier(count);
      optimization_barrier(filter);
      for (const float*& transformed : in) optimization_barrier(transformed);
      if (step(in, filter, 0, count) || step(in, filter, 1, count) || step(in, filter, 2, count) ||
          step(in, filter, 3, count))
        return;
      for (const float*& transformed : in) transformed += kGroupFloats;
      filter += kLanes * kFilterRow;
    }
  }

  F32 sum[kPair][kSums][kVectors];
};

// Operands of a pair of tiles and one panel of the filter. Each pass computes a row of two output pixels for
// each tile.
struct Pair {
  const float* in[kPair];
  std::size_t in_row;  // stride of the rows of transformed inputs
  const float* filter;
  std::size_t filter_row;
  int channel_groups;
  F32 out[kOut][kPair][kOut][kVectors];
};

[[gnu::noinline]] void multiply(Pair& pair) {
  F32 both[kPair][kOut][kVectors] = {};
#pragma GCC unroll 1
  for (int pass = 0; pass <= kOut; ++pass) {
    Sums sums;
    for (int t = 0; t < kPair; ++t) {
      for (int v = 0; v < kVectors; ++v) {
        sums.sum[t][0][v] = both[t][0][v];
        sums.sum[t][1][v] = F32(0.0F);
        sums.sum[t][2][v] = both[t][1][v];
      }
    }
    const float* in[kPair];
    const int skipped = pass == 0 ? 0 : 2 * pass - 1;
    for (int t = 0; t < kPair; ++t) in[t] = pair.in[t] + size(skipped) * pair.in_row;
    sums.add_channel_groups(in, pair.filter + size(pass) * pair.filter_row,
                            pass == 0 ? pair.channel_groups : 2 * pair.channel_groups);
    auto& to = pass == 0 ? both : pair.out[pass - 1];
    for (int t = 0; t < kPair; ++t) {
      for (int v = 0; v < kVectors; ++v) {
        to[t][0][v] = sums.sum[t][0][v] + sums.sum[t][1][v];
        to[t][1][v] = sums.sum[t][1][v] + sums.sum[t][2][v];
      }
    }
  }
}

std::size_t tile_size(const ConvGeometry& g) { return size(g.in_channels) * kIn * kIn; }

// A block's transformed inputs should stay in cache while panel after panel passes, and each panel should be
// used by many tiles.
int max_tiles(const ConvGeometry& g) {
  constexpr std::size_t kBlockFloats = 1 << 14;
  return static_cast<int>(std::clamp(kBlockFloats / tile_size(g), size(32), size(kMaxTiles)));
}

class Stride2Convolution final : public TiledConvolution {
 public:
  explicit Stride2Convolution(const Operands& operands)
      : TiledConvolution(operands, kOut, kIn, max_tiles(operands.g)) {}

  std::size_t scratch_size() const override { return size(tiles_) * tile_size(operands_.g) + zeros(); }
  std::size_t block_work() const override {
    return size(tiles_) * tile_size(operands_.g) * size(operands_.g.out_channels);
  }
  void run(int block, float* scratch) const override;

 private:
  std::size_t zeros() const { return size(operands_.g.in_channels); }
};

void Stride2Convolution::run(int block, float* scratch) const {
  const ConvGeometry& g = operands_.g;
  const int count = tiles_in(block);
  float* const transformed = scratch + zeros();
  std::fill_n(scratch, zeros(), 0.0F);
  Pair pair;
  pair.in_row = tile_size(g) / kIn;
  pair.filter_row = size(g.in_channels) * kFilterRow;
  pair.channel_groups = g.in_channels / kLanes;
  TileOrigin origins[kMaxTiles];
  for (int t = 0; t < count; ++t) {
    origins[t] = tile_origin(block * tiles_ + t);
    const float* pixels[kIn * kIn];
    fill_input_pointers(origins[t], scratch, pixels);
    input_tile(pixels, g.in_channels, transformed + size(t) * tile_size(g), pair.in_row);
  }

  const gemm::VectorEpilogue epilogue(operands_.epilogue);
  for (int c = 0; c < g.out_channels; c += gemm::kNR) {
    pair.filter = operands_.filter.panels().at(0, c);
    const int vectors = g.out_channels - c > kLanes ? kVectors : 1;
    for (int first = 0; first < count; first += kPair) {
      // An odd last tile is computed twice, and stored once.
      const int tiles = std::min(kPair, count - first);
      for (int t = 0; t < kPair; ++t) pair.in[t] = transformed + size(first + t % tiles) * tile_size(g);
      multiply(pair);
      for (int t = 0; t < tiles; ++t) {
        const TileOrigin& origin = origins[first + t];
        for (int y = 0; y < origin.height; ++y) {
          float* row = origin.out + size(y) * out_row() + c;
          for (int v = 0; v < vectors; ++v, row += kLanes) {
            const F32(&sums)[kOut][kVectors] = pair.out[y][t];
            store_pixel(sums[0][v], c + v * kLanes, epilogue, row);
            if (origin.width > 1) store_pixel(sums[1][v], c + v * kLanes, epilogue, row + g.out_channels);
          }
        }
      }
    }
  }
  for (int t = 0; t < count; ++t) activate_tile(origins[t]);
}

}  // namespace

// Returns the transformed filter as [4,C,4,OC]: rows of taps, channels, and columns of taps.
gemm::PackedB transform(const float* filter, int in_channels, int out_channels) {
  gemm::PackedB packed(kTransformedTaps * in_channels * kTransformedTaps, out_channels);
  const std::size_t tap = size(in_channels) * size(out_channels);
  for (int n = 0; n < out_channels; n += gemm::kNR) {
    for (int c = 0; c < in_channels; ++c) {
      const float* from = filter + size(c) * size(out_channels) + n;
      float* to = packed.at(c * kTransformedTaps, n);
      const std::size_t row = size(in_channels) * kFilterRow;
      filter_tile(from, tap, to, row);
      // Lanes past the last channel are never stored.
      if (n + kLanes < out_channels) filter_tile(from + kLanes, tap, to + kLanes, row);
    }
  }
  return packed;
}

bool is_profitable(const ConvGeometry& g, bool prepared) {
  if (g.in_channels % kLanes != 0 || g.out_channels < gemm::kNR) return false;
  // Cost model, measured over 16 shapes as in winograd_four.cpp: multiplications per pair of channels, and
  // the transforms as an equivalent number of them.
  const auto pairs = std::int64_t{g.in_channels} * g.out_channels;
  const auto count_tiles = [](const WindowAxis& axis) { return (axis.out + kOut - 1) / kOut; };
  const auto tiles = std::int64_t{g.batch} * count_tiles(g.h) * count_tiles(g.w);
  const auto pixels = std::int64_t{g.batch} * g.h.out * g.w.out;
  const std::int64_t transform = prepared ? 0 : 200;
  const std::int64_t moved =
      tiles * (150 * std::int64_t{g.in_channels} + 90 * std::int64_t{g.out_channels}) / pairs;
  return tiles * kIn * kIn + moved + transform < pixels * 9;
}

std::unique_ptr<Convolution> convolution(const Operands& operands) {
  return std::make_unique<Stride2Convolution>(operands);
}

}  // namespace tenure::cpu::winograd::strided
