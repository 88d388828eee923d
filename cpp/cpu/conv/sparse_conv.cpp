// Convolutions of single pixels with a filter that is mostly zeros. A tile of pixels is transposed, so that
// an element of the filter is multiplied by vectors of pixels, and zeros are skipped: E. Elsen et al., "Fast
// Sparse ConvNets", 2020.
#include "cpu/conv/sparse_conv.h"

#include <algorithm>
#include <cstring>
#include <utility>

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
/// Columns that are stored at a time.
constexpr int kColumns = kLanes;
/// Minimum elements of a column, on average: with fewer, storing the sums takes longer than zeros would.
constexpr std::size_t kMinElements = 6;
/// Minimum pixels: a tile of fewer has too few independent sums.
constexpr std::size_t kMinPixels = 16;

/// Computes the sums of `count` columns from `first` on: rows of kVectors vectors, one for each column. The
/// tile has such a row for each of the filter's rows.
template <int kVectors>
[[gnu::noinline]] void multiply_columns(const float* tile, const SparseColumns& filter, int first, int count,
                                        float* sums) {
  for (int c = first; c < first + count; ++c, sums += kVectors * kLanes) {
    F32 sum[kVectors];
    std::fill_n(sum, kVectors, F32(0.0F));
    const std::span<const SparseColumns::Element> column = filter.column(c);
    const SparseColumns::Element* const end = column.data() + column.size();
#pragma GCC unroll 1
    for (const SparseColumns::Element* at = column.data(); at != end; ++at) {
      const F32 factor = F32::load_splat(&at->value);
      const float* const pixels = tile + static_cast<std::size_t>(at->row) * (kVectors * kLanes);
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

/// Writes the pixels' transpose, whose rows have `width` floats, a multiple of four.
void transpose_pixels(const Pixels& from, int width, float* tile) {
  int c = 0;
  for (; c + kLanes <= from.depth; c += kLanes, tile += static_cast<std::ptrdiff_t>(kLanes) * width) {
    for (int p = 0; p < width; p += kLanes) {
      transpose_4x4<float>({from.at(p) + c, from.at(p + 1) + c, from.at(p + 2) + c, from.at(p + 3) + c},
                           tile + p, width);
    }
  }
  for (; c < from.depth; ++c, tile += width) {
    for (int p = 0; p < width; ++p) tile[p] = from.at(p)[c];
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
  void store_columns(const float* sums, int width, int first, int count, float* out, int pixels,
                     const gemm::VectorEpilogue& epilogue) const;

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
  const std::size_t tiles =
      std::max((vectors + kMaxVectors - 1) / kMaxVectors,
               std::min<std::size_t>(vectors, static_cast<std::size_t>(thread_count())));
  // In wasm, the product of two sizes may exceed a size_t.
  const auto get_first_vector = [&](std::size_t i) {
    return static_cast<std::size_t>(std::uint64_t{i} * vectors / tiles);
  };
  const std::size_t grain = grain_size(filter_.count() * kLanes * (vectors / tiles));
  const int threads = threads_for(tiles, grain);
  constexpr std::size_t kMaxWidth = std::size_t{kMaxVectors} * kLanes;
  const std::size_t size = checked_product(depth + kColumns, kMaxWidth);
  Scratch<float> scratch(static_cast<std::size_t>(threads), size);
  parallel_for(tiles, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    float* const tile = scratch.data() + static_cast<std::size_t>(slot) * size;
    float* const sums = tile + depth * kMaxWidth;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t first = get_first_vector(i);
      const std::size_t count = get_first_vector(i + 1) - first;
      const std::size_t pixel = first * kLanes;
      const int own = static_cast<int>(std::min(pixels - pixel, count * kLanes));
      const int width = static_cast<int>(count) * kLanes;
      transpose_pixels({x + pixel * depth, own, filter_.rows()}, width, tile);
      float* const rows = out + pixel * channels;
      for (int c = 0; c < filter_.columns(); c += kColumns) {
        const int columns = std::min(kColumns, filter_.columns() - c);
        kMultiplyColumns[count - 1](tile, filter_, c, columns, sums);
        store_columns(sums, width, c, columns, rows, own, vector_epilogue);
      }
      const std::size_t elements = static_cast<std::size_t>(own) * channels;
      if (!is_clamp(epilogue.activation))
        apply_activation(rows, elements, epilogue.activation, epilogue.alpha);
      if (post_op) post_op->run(pixel * channels, elements);
    }
  });
}

/// Stores the transpose of sums after the epilogue.
void SparseConvKernel::store_columns(const float* sums, int width, int first, int count, float* out,
                                     int pixels, const gemm::VectorEpilogue& epilogue) const {
  const int channels = filter_.columns();
  float* to = out + first;
  int p = 0;
  for (; count == kColumns && p + kLanes <= pixels; p += kLanes) {
    float* rows[kLanes];
    for (float*& row : rows) row = std::exchange(to, to + channels);
    simd::RawI32 vectors[kLanes];
    for (int c = 0; c < kColumns; ++c) std::memcpy(&vectors[c], sums + c * width + p, sizeof vectors[c]);
    transpose_4x4(vectors);
    F32 block[kLanes][1];
    for (int r = 0; r < kLanes; ++r) block[r][0] = (simd::RawF32)vectors[r];
    epilogue.apply(block, rows, first);
    for (int r = 0; r < kLanes; ++r) store(rows[r], block[r][0]);
  }
  for (; p < pixels; p += kLanes) {
    float block[kLanes * kColumns];
    transpose_4x4<float>(sums + p, width, block, kColumns);
    const int rows = std::min(kLanes, pixels - p);
    for (int r = 0; r < rows; ++r, to += channels) {
      store_up_to(to, epilogue(load(block + r * kColumns), to, first), static_cast<std::size_t>(count));
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
