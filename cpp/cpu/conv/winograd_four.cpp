// Winograd F(4x4, 3x3): 36 products per tile of 4 x 4 output pixels, a quarter of the multiplications. A.
// Lavin and S. Gray, Fast Algorithms for Convolutional Neural Networks, 2015.
#include <algorithm>

#include "cpu/conv/winograd_tiles.h"

namespace tenure::cpu::winograd::four {
namespace {

using simd::F32;
using simd::kLanes;

constexpr int kOut = 4;                    // output pixels of a tile, along each axis
constexpr int kIn = 6;                     // input pixels of a tile, along each axis
constexpr int kTransformSize = kIn * kIn;  // transformed values of a tile: one product each
// Padding in floats between the 36 matrices: 4 KB apart, their rows would all map to the same sets of the
// first-level cache.
constexpr std::size_t kGap = 16;

std::size_t size(int value) { return static_cast<std::size_t>(value); }
int up_to_lanes(int channels) { return (channels + kLanes - 1) / kLanes * kLanes; }

// Interpolation points: 0, +-5/8, +-3/2 and infinity. The error is a quarter of that of +-1 and +-2, which
// are integers but far apart. All constants are exact.
constexpr float kA = 0.625F;
constexpr float kB = 1.5F;
constexpr float kA2 = kA * kA;
constexpr float kB2 = kB * kB;

// Transforms a row of three filter taps to six values.
void transform_filter_row(const F32 (&g)[3], F32 (&to)[kIn]) {
  constexpr float kScaleA = 1 / (2 * kA2 * (kA2 - kB2));
  constexpr float kScaleB = 1 / (2 * kB2 * (kB2 - kA2));
  const F32 even_a = madd(g[2], F32(kA2), g[0]) * kScaleA;
  const F32 even_b = madd(g[2], F32(kB2), g[0]) * kScaleB;
  to[0] = g[0] * (1 / (kA2 * kB2));
  to[1] = madd(g[1], F32(kA * kScaleA), even_a);
  to[2] = nmadd(g[1], F32(kA * kScaleA), even_a);
  to[3] = madd(g[1], F32(kB * kScaleB), even_b);
  to[4] = nmadd(g[1], F32(kB * kScaleB), even_b);
  to[5] = g[2];
}

// Transforms a row of six inputs to six values.
void transform_input_row(const F32 (&d)[kIn], F32 (&to)[kIn]) {
  const F32 a = kA;
  const F32 b = kB;
  const F32 a2 = kA2;
  const F32 b2 = kB2;
  const F32 product = kA2 * kB2;
  const F32 sum = kA2 + kB2;
  const F32 even_a = nmadd(d[2], b2, d[4]);
  const F32 odd_a = nmadd(d[1], b2, d[3]);
  const F32 even_b = nmadd(d[2], a2, d[4]);
  const F32 odd_b = nmadd(d[1], a2, d[3]);
  to[0] = nmadd(d[2], sum, madd(d[0], product, d[4]));
  to[1] = madd(odd_a, a, even_a);
  to[2] = nmadd(odd_a, a, even_a);
  to[3] = madd(odd_b, b, even_b);
  to[4] = nmadd(odd_b, b, even_b);
  to[5] = nmadd(d[3], sum, madd(d[1], product, d[5]));
}

// Transforms a row of six products to four outputs.
void transform_output_row(const F32 (&m)[kIn], F32 (&to)[kOut]) {
  const F32 even_a = m[1] + m[2];
  const F32 odd_a = m[1] - m[2];
  const F32 even_b = m[3] + m[4];
  const F32 odd_b = m[3] - m[4];
  to[0] = m[0] + even_a + even_b;
  to[1] = madd(odd_b, F32(kB), odd_a * kA);
  to[2] = madd(even_b, F32(kB2), even_a * kA2);
  to[3] = madd(odd_b, F32(kB * kB2), madd(odd_a, F32(kA * kA2), m[5]));
}

// Transforms the input tile whose pixels' addresses are given. The 36 transformed values of a channel are
// `step` floats apart.
[[gnu::noinline]] void input_tile(const float* const (&in)[kTransformSize], int channels, float* to,
                                  std::size_t step) {
  F32 half[kIn][kIn];
  for (int c = 0; c < channels; c += kLanes, to += kLanes) {
    transform_columns<kIn>(
        half, [&](int y, int x) { return load(in[y * kIn + x] + c); }, transform_input_row);
    float* row = to;
#pragma GCC unroll 1
    for (const auto& values : half) {
      F32 transformed_row[kIn];
      transform_input_row(values, transformed_row);
      for (int x = 0; x < kIn; ++x, row += step) store(row, transformed_row[x]);
    }
  }
}

// Transforms the filter of one input channel and four output channels. Its taps are `tap` floats apart, the
// 36 transformed values `step` floats.
[[gnu::noinline]] void filter_tile(const float* filter, std::size_t tap, float* to, std::size_t step) {
  F32 half[kIn][3];
  transform_columns<3>(
      half, [&](int y, int x) { return load(filter + size(3 * y + x) * tap); }, transform_filter_row);
  for (const auto& row : half) {
    F32 transformed_row[kIn];
    transform_filter_row(row, transformed_row);
    for (int x = 0; x < kIn; ++x, to += step) store(to, transformed_row[x]);
  }
}

// A block should stay in the second-level cache, and each transformed filter value should be used by many
// tiles.
int max_tiles(const ConvGeometry& g) {
  constexpr int kBlockFloats = 1 << 17;
  const int floats = kTransformSize * (up_to_lanes(g.in_channels) + up_to_lanes(g.out_channels));
  const int fitting = kBlockFloats / floats / gemm::kMR * gemm::kMR;
  return std::clamp(fitting, 4 * gemm::kMR, gemm::kMC);
}

class F4x4Convolution final : public TiledConvolution {
 public:
  explicit F4x4Convolution(const Operands& operands)
      : TiledConvolution(operands, kOut, kIn, max_tiles(operands.g)),
        in_stride_(up_to_lanes(operands_.g.in_channels)),
        out_stride_(up_to_lanes(operands_.g.out_channels)),
        zeros_(size(in_stride_)) {}

  std::size_t scratch_size() const override {
    return kTransformSize * (size(tiles_) * size(in_stride_ + out_stride_) + 2 * kGap) + zeros_;
  }
  std::size_t block_work() const override {
    return kTransformSize * size(tiles_) * size(operands_.g.in_channels) * size(operands_.g.out_channels);
  }
  void run(int block, float* scratch) const override;

 private:
  void transform_output(const TileOrigin& origin, const float* from, std::size_t step) const;

  int in_stride_;  // stride of the tiles in floats, in each of the 36 matrices
  int out_stride_;
  std::size_t zeros_;  // floats of a pixel of zeros, which the padding is read from
};

void F4x4Convolution::run(int block, float* scratch) const {
  const int first = block * tiles_;
  const int count = tiles_in(block);
  const int depth = operands_.g.in_channels;
  float* zeros = scratch;
  float* in = zeros + zeros_;
  const std::size_t in_point = size(tiles_) * size(in_stride_) + kGap;
  float* out = in + kTransformSize * in_point;
  const std::size_t out_point = size(tiles_) * size(out_stride_) + kGap;
  std::fill_n(zeros, zeros_, 0.0F);

  for (int t = 0; t < count; ++t) {
    const float* pixels[kTransformSize];
    fill_input_pointers(tile_origin(first + t), zeros, pixels);
    input_tile(pixels, depth, in + size(t) * size(in_stride_), in_point);
  }

  const float* from[gemm::kMC];
  float* to[gemm::kMC];
  for (int p = 0; p < kTransformSize; ++p) {
    for (int t = 0; t < count; ++t) {
      from[t] = in + size(p) * in_point + size(t) * size(in_stride_);
      to[t] = out + size(p) * out_point + size(t) * size(out_stride_);
    }
    gemm::multiply({from, gemm::kMC, 1, depth, to, count}, operands_.filter.panels(p * depth), {});
  }

  for (int t = 0; t < count; ++t) {
    transform_output(tile_origin(first + t), out + size(t) * size(out_stride_), out_point);
  }
}

void F4x4Convolution::transform_output(const TileOrigin& origin, const float* from, std::size_t step) const {
  const gemm::VectorEpilogue epilogue(operands_.epilogue);
  const int channels = operands_.g.out_channels;
  for (int c = 0; c < channels; c += kLanes, from += kLanes) {
    F32 half[kOut][kIn];
    transform_columns<kIn>(
        half, [&](int y, int x) { return load(from + size(y * kIn + x) * step); }, transform_output_row);
    for (int y = 0; y < origin.height; ++y) {
      F32 transformed_row[kOut];
      transform_output_row(half[y], transformed_row);
      float* pixel = origin.out + size(y) * out_row() + c;
      for (int x = 0; x < origin.width; ++x, pixel += channels)
        store_pixel(transformed_row[x], c, epilogue, pixel);
    }
  }
  activate_tile(origin);
}

}  // namespace

// Returns the transformed filter as 36 matrices [C,OC], one below the other.
gemm::PackedB transform(const float* filter, int in_channels, int out_channels) {
  gemm::PackedB packed(kTransformSize * in_channels, out_channels);
  // Buffered, because the 36 transformed values of one pair of channels lie in 36 pages.
  constexpr int kAtOnce = 16;
  float transformed_block[kTransformSize][kAtOnce][gemm::kNR] = {};
  const std::size_t tap = size(in_channels) * size(out_channels);
  for (int n = 0; n < out_channels; n += gemm::kNR) {
    for (int c = 0; c < in_channels; c += kAtOnce) {
      const int count = std::min(kAtOnce, in_channels - c);
      const float* from = filter + size(c) * size(out_channels) + n;
      for (int i = 0; i < count; ++i, from += out_channels) {
        filter_tile(from, tap, &transformed_block[0][i][0], kAtOnce * gemm::kNR);
        if (n + kLanes < out_channels)
          filter_tile(from + kLanes, tap, &transformed_block[0][i][kLanes], kAtOnce * gemm::kNR);
      }
      for (int p = 0; p < kTransformSize; ++p) {
        std::memcpy(packed.at(p * in_channels + c, n), transformed_block[p],
                    size(count) * sizeof transformed_block[p][0]);
      }
    }
  }
  return packed;
}

bool is_profitable(const ConvGeometry& g, bool prepared) {
  constexpr int kMinChannels = 16;
  if (g.in_channels < kMinChannels || g.out_channels < kMinChannels) return false;
  // Cost model, measured over 13 shapes: multiplications per pair of channels against those of an im2col
  // product, and the transforms as an equivalent number of them.
  constexpr std::int64_t kCachedPairs = 1 << 13;
  const auto pairs = std::int64_t{g.in_channels} * g.out_channels;
  const std::int64_t transform = prepared ? 0 : pairs > kCachedPairs ? 900 : 400;
  const auto tiles = std::int64_t{g.batch} * ((g.h.out + kOut - 1) / kOut) * ((g.w.out + kOut - 1) / kOut);
  const auto pixels = std::int64_t{g.batch} * g.h.out * g.w.out;
  const std::int64_t moved = tiles * 200 * (std::int64_t{g.in_channels} + g.out_channels) / pairs;
  return tiles * kTransformSize + moved + transform < pixels * 9 * 4 / 5;
}

std::unique_ptr<Convolution> convolution(const Operands& operands) {
  return std::make_unique<F4x4Convolution>(operands);
}

}  // namespace tenure::cpu::winograd::four
