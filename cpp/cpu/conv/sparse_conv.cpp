// Convolutions of single pixels with a filter that is mostly zeros. A tile of pixels is transposed, so that
// an element of the filter is multiplied by vectors of pixels, and zeros are skipped: E. Elsen et al., "Fast
// Sparse ConvNets", 2020.
#include "cpu/conv/sparse_conv.h"

#include <algorithm>
#include <cstring>

#include "core/memory/sparse_weight.h"
#include "cpu/conv/conv_epilogue.h"
#include "cpu/gemm/epilogue.h"
#include "cpu/movement/transpose_block.h"
#include "cpu/threads/parallel.h"
#include "cpu/threads/scratch.h"
#include "shape_util/conv.h"

namespace tenure::cpu {
namespace {

using simd::F32;
using simd::kLanes;

/// Maximum vectors of pixels in a tile: as many sums as hide the latency of an addition, and leave registers
/// for a factor.
constexpr int kMaxVectors = 8;
/// Floats from a row of a tile, or of sums, to the next. The same for all tiles, so that the row of an
/// element is found by a shift.
constexpr int kRowStride = kMaxVectors * kLanes;
/// Channels that are transposed, and columns that are stored, before the next pixels. Fewer would visit each
/// page of the images more often.
constexpr int kBlock = 64;
/// Minimum elements of a column, on average: with fewer, storing the sums takes longer than zeros would.
constexpr std::size_t kMinElements = 6;
/// Minimum pixels: a tile of fewer has too few independent sums.
constexpr std::size_t kMinPixels = 16;

/// Computes the sums of `count` columns from `first` on, for kVectors vectors of pixels: a row for each
/// column. The tile has a row for each of the filter's rows.
template <int kVectors>
[[gnu::noinline]] void multiply_columns(const float* tile, const SparseColumns& filter, int first, int count,
                                        float* sums) {
  for (int c = first; c < first + count; ++c, sums += kRowStride) {
    F32 sum[kVectors];
    std::fill_n(sum, kVectors, F32(0.0F));
    const std::span<const SparseColumns::Element> column = filter.column(c);
    const SparseColumns::Element* const end = column.data() + column.size();
#pragma GCC unroll 1
    for (const SparseColumns::Element* at = column.data(); at != end; ++at) {
      const F32 factor = F32::load_splat(&at->value);
      const float* const pixels = tile + static_cast<std::size_t>(at->row) * kRowStride;
      for (int v = 0; v < kVectors; ++v) sum[v] = madd(factor, load(pixels + v * kLanes), sum[v]);
    }
    for (int v = 0; v < kVectors; ++v) store(sums + v * kLanes, sum[v]);
  }
}

using MultiplyColumns = void (*)(const float*, const SparseColumns&, int, int, float*);
constexpr MultiplyColumns kMultiplyColumns[kMaxVectors] = {
    multiply_columns<1>, multiply_columns<2>, multiply_columns<3>, multiply_columns<4>,
    multiply_columns<5>, multiply_columns<6>, multiply_columns<7>, multiply_columns<8>};

/// Consecutive pixels, `depth` floats each.
struct Pixels {
  const float* data;
  int count;
  int depth;

  /// Returns the address of a pixel; of the last one for those past the end.
  const float* at(int pixel) const {
    return data + static_cast<std::size_t>(std::min(pixel, count - 1)) * static_cast<std::size_t>(depth);
  }
};

/// Writes the pixels' transpose to a tile, a row for each channel, and repeats the last pixel up to a
/// multiple of four.
[[gnu::noinline]] void transpose_pixels(const Pixels& from, float* tile) {
  for (int first = 0; first < from.depth; first += kBlock) {
    const int end = std::min(first + kBlock, from.depth);
    for (int p = 0; p < from.count; p += kLanes) {
      const float* const rows[kLanes] = {from.at(p), from.at(p + 1), from.at(p + 2), from.at(p + 3)};
      float* to = tile + static_cast<std::ptrdiff_t>(first) * kRowStride + p;
      int c = first;
      for (; c + kLanes <= end; c += kLanes, to += kLanes * kRowStride)
        transpose_4x4<float>({rows[0] + c, rows[1] + c, rows[2] + c, rows[3] + c}, to, kRowStride);
      for (; c < end; ++c, to += kRowStride) {
        for (int i = 0; i < kLanes; ++i) to[i] = rows[i][c];
      }
    }
  }
}

class SparseConvKernel final : public PreparedKernel {
 public:
  explicit SparseConvKernel(const SparseColumns& filter) : filter_(filter) {}

  void run(const KernelArgs& args) const override { convolve(args, nullptr); }
  void run_with_post_op(const KernelArgs& args, const PostOp& post_op) const override {
    convolve(args, &post_op);
  }
  std::size_t bytes() const override { return 0; }
  const Storage* storage() const override { return filter_.storage().get(); }
  bool reads(std::size_t input) const override { return input != 1; }
  bool can_donate_residual() const override { return true; }

 private:
  void convolve(const KernelArgs& args, const PostOp* post_op) const;
  void store_columns(const float* sums, int first, int count, float* out, int pixels,
                     const gemm::VectorEpilogue& given) const;

  SparseColumns filter_;
};

void SparseConvKernel::convolve(const KernelArgs& args, const PostOp* post_op) const {
  const ColumnBias bias(args.in, filter_.columns());
  const gemm::Epilogue epilogue = make_conv_epilogue(args, bias);
  const gemm::VectorEpilogue vector_epilogue(epilogue);
  const float* const x = args.in[0].data<float>();
  float* const out = args.out.mutable_data<float>();
  const auto channels = static_cast<std::size_t>(filter_.columns());
  const auto depth = static_cast<std::size_t>(filter_.rows());
  const std::size_t pixels = args.out.elements() / channels;
  const std::size_t vectors = (pixels + kLanes - 1) / kLanes;
  // All threads get equally many tiles.
  const auto threads = static_cast<std::size_t>(thread_count());
  const std::size_t tiles_each = (vectors + kMaxVectors * threads - 1) / (kMaxVectors * threads);
  const std::size_t tiles = std::min(vectors, tiles_each * threads);
  // In wasm, the product of two sizes may exceed a size_t.
  const auto get_first_vector = [&](std::size_t i) {
    return static_cast<std::size_t>(std::uint64_t{i} * vectors / tiles);
  };
  // A transposed vector takes about as long as two products.
  const std::size_t products = filter_.count() + 2 * (depth + channels);
  const std::size_t grain = grain_size(products * kLanes * (vectors / tiles));
  const int slots = threads_for(tiles, grain);
  const std::size_t size = checked_product(depth + kBlock, kRowStride);
  Scratch<float> scratch(static_cast<std::size_t>(slots), size);
  parallel_for(tiles, grain, slots, [&](std::size_t begin, std::size_t end, int slot) {
    float* const tile = scratch.data() + static_cast<std::size_t>(slot) * size;
    float* const sums = tile + depth * kRowStride;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t first = get_first_vector(i);
      const std::size_t count = get_first_vector(i + 1) - first;
      const std::size_t pixel = first * kLanes;
      const int own = static_cast<int>(std::min(pixels - pixel, count * kLanes));
      transpose_pixels({x + pixel * depth, own, filter_.rows()}, tile);
      float* const rows = out + pixel * channels;
      for (int c = 0; c < filter_.columns(); c += kBlock) {
        const int columns = std::min(kBlock, filter_.columns() - c);
        kMultiplyColumns[count - 1](tile, filter_, c, columns, sums);
        store_columns(sums, c, columns, rows, own, vector_epilogue);
      }
      const std::size_t elements = static_cast<std::size_t>(own) * channels;
      if (!is_clamp(epilogue.activation))
        apply_activation(rows, elements, epilogue.activation, epilogue.alpha);
      if (post_op) post_op->run(pixel * channels, elements);
    }
  });
}

/// Stores the transpose of the sums of `count` columns from `first` on, after the epilogue.
[[gnu::noinline]] void SparseConvKernel::store_columns(const float* sums, int first, int count, float* out,
                                                       int pixels, const gemm::VectorEpilogue& given) const {
  const gemm::VectorEpilogue epilogue = given.from_column(first);
  const int channels = filter_.columns();
  float* to = out + first;
  for (int p = 0; p < pixels; p += kLanes) {
    const int own = std::min(kLanes, pixels - p);
    float* rows[kLanes];
    for (int r = 0; r < kLanes; ++r)
      rows[r] = to + static_cast<std::ptrdiff_t>(std::min(r, own - 1)) * channels;
    to = rows[own - 1] + channels;
    const float* from = sums + p;
    int c = 0;
    for (; own == kLanes && c + kLanes <= count; c += kLanes, from += kLanes * kRowStride) {
      simd::RawI32 vectors[kLanes];
      for (int i = 0; i < kLanes; ++i) std::memcpy(&vectors[i], from + i * kRowStride, sizeof vectors[i]);
      transpose_4x4(vectors);
      F32 block[kLanes][1];
      for (int r = 0; r < kLanes; ++r) block[r][0] = (simd::RawF32)vectors[r];
      epilogue.apply(block, rows, c);
      for (int r = 0; r < kLanes; ++r) {
        store(rows[r], block[r][0]);
        rows[r] += kLanes;
      }
    }
    for (; c < count; c += kLanes, from += kLanes * kRowStride) {
      float block[kLanes * kLanes];
      transpose_4x4<float>(from, kRowStride, block, kLanes);
      for (int r = 0; r < own; ++r) {
        store_up_to(rows[r], epilogue(load(block + r * kLanes), rows[r], c),
                    static_cast<std::size_t>(count - c));
        rows[r] += kLanes;
      }
    }
  }
}

}  // namespace

std::unique_ptr<PreparedKernel> prepare_sparse_conv2d(Inputs in, const ConvAttrs& attrs) {
  const ConvGeometry geometry = conv2d_geometry(in[0].shape(), in[1].shape(), attrs);
  if (geometry.groups > 1 || !is_pointwise(geometry) || geometry.output().elements(0, 3) < kMinPixels)
    return nullptr;
  const SparseColumns& filter = *SparseWeight::of(in[1]);
  if (filter.count() < kMinElements * static_cast<std::size_t>(filter.columns())) return nullptr;
  return std::make_unique<SparseConvKernel>(filter);
}

}  // namespace tenure::cpu
