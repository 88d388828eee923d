#include "cpu/gemm/gemm.h"

#include <algorithm>
#include <limits>

#include "core/run/backend.h"
#include "cpu/gemm/gemm_microkernel.h"
#include "cpu/threads/parallel.h"
#include "cpu/threads/scratch.h"

namespace tenure::cpu::gemm {
namespace {

using simd::kLanes;

// Minimum row stride of an unpacked matrix that is read sequentially.
constexpr std::size_t kMinStreamStride = 128;
// Minimum panels of such a matrix in one thread's range.
constexpr int kMinStreamedPanels = 16;

// Applies the activation to the output, with one call for contiguous rows.
[[gnu::noinline]] void activate_rows(const IndirectionBuffer& rows, std::size_t columns,
                                     const Epilogue& epilogue) {
  for (int first = 0, end = 0; first < rows.count; first = end) {
    for (end = first + 1; end < rows.count && rows.out[end] == rows.out[end - 1] + columns;) ++end;
    apply_activation(rows.out[first], static_cast<std::size_t>(end - first) * columns, epilogue.activation,
                     epilogue.alpha);
  }
}

// Applies the scale, and the epilogue that follows it, to stored rows. Not in the micro-kernels: with two
// more vectors to load at their end, V8 keeps the sums in memory throughout, and a product takes a third
// longer.
[[gnu::noinline]] void scale_rows(const IndirectionBuffer& rows, int columns, const float* scale,
                                  const VectorEpilogue& given) {
  const VectorEpilogue epilogue = given;
  for (int r = 0; r < rows.count; ++r) {
    float* out = rows.out[r];
    for (int c = 0; c < columns; c += kLanes, out += kLanes) {
      store_up_to(out, epilogue(load(out) * load(scale + c), out, c), static_cast<std::size_t>(columns - c));
    }
  }
}

// True if a product of few rows reads `b` sequentially. A depth of up to kStreamedRows is left to the
// micro-kernels, which store each output only once.
bool should_use_small_m(const IndirectionBuffer& rows, const Panels& b) {
  return rows.count <= kMaxSmallM && rows.taps == 1 && rows.depth > kStreamedRows &&
         b.row_stride >= kMinStreamStride;
}

void run_k_blocks(const IndirectionBuffer& rows, const Panels& b, const Epilogue& epilogue) {
  // A single row reads the matrix once, best in long runs.
  const int block = rows.count == 1 ? std::numeric_limits<int>::max() : kKC;
  const int taps_at_once = std::clamp(block / std::max(rows.depth, 1), 1, std::max(rows.taps, 1));
  MicrokernelArgs p = {.in = rows.in,
                       .step = rows.step,
                       .panel_stride = b.panel_stride,
                       .row_stride = b.row_stride,
                       .out = rows.out,
                       .rows = rows.count,
                       .add = epilogue.accumulate,
                       .single_row = rows.single_row};
  int tap = 0;
  do {
    p.in = rows.in + static_cast<std::size_t>(tap) * rows.step;
    p.taps = std::min(taps_at_once, rows.taps - tap);
    p.from = 0;
    do {
      p.depth = std::min(block, rows.depth - p.from);
      const bool last = tap + p.taps >= rows.taps && p.from + p.depth >= rows.depth;
      if (last) p.epilogue = VectorEpilogue(epilogue);
      run_k_block(p, b, tap * rows.depth + p.from);
      p.add = true;
      p.from += p.depth;
    } while (p.from < rows.depth);
    tap += p.taps;
  } while (tap < rows.taps);
}

}  // namespace

bool fits_one_k_block(int products, std::size_t row_stride) {
  return products <= (row_stride >= kMinStreamStride ? kStreamedRows : kKC);
}

void multiply(const IndirectionBuffer& rows, const Panels& b, const Epilogue& given) {
  Epilogue epilogue = given;
  if (given.scale) {
    epilogue.bias = epilogue.residual = epilogue.slopes = nullptr;
    epilogue.activation = Activation::kLinear;
  }
  if (should_use_small_m(rows, b) && !given.slopes) {
    multiply_small_m(rows, b, epilogue);
  } else {
    run_k_blocks(rows, b, epilogue);
  }
  if (given.scale) scale_rows(rows, b.columns, given.scale, VectorEpilogue(given));
  if (!is_clamp(given.activation)) activate_rows(rows, static_cast<std::size_t>(b.columns), given);
  if (epilogue.post_op) {
    epilogue.post_op->run(static_cast<std::size_t>(rows.out[0] - epilogue.result),
                          static_cast<std::size_t>(rows.count) * static_cast<std::size_t>(b.columns));
  }
}

void fill_row_pointers(const float* first, std::size_t step, int count, const float** to) {
  const float** const end = to + count;
#if defined(__wasm_simd128__)
  // Four at a time: one by one would take a thirtieth of a product's time where rows are short.
  const std::size_t bytes = step * sizeof(float);
  const auto begin = reinterpret_cast<std::size_t>(first);
  const auto at = [&](std::size_t i) { return static_cast<std::int32_t>(begin + i * bytes); };
  const simd::I32 steps(static_cast<std::int32_t>(4 * bytes));
  for (simd::I32 four = simd::RawI32{at(0), at(1), at(2), at(3)}; to + 4 <= end; to += 4, first += 4 * step) {
    std::memcpy(to, &four.v, sizeof four.v);
    four = four + steps;
  }
#endif
  for (; to < end; first += step) *to++ = first;
}

namespace {

// Multiplies the rows [first, last) of `a` with panels, one block at a time.
void multiply_rows(const float* a, std::size_t a_stride, int first, int last, int depth, const Panels& b,
                   float* c, std::size_t c_stride, const Epilogue& epilogue) {
  const float* in[kMC];
  float* out[kMC];
  for (; first < last; first += kMC) {
    const int count = std::min(kMC, last - first);
    fill_row_pointers(a + static_cast<std::size_t>(first) * a_stride, a_stride, count, in);
    fill_row_pointers(c + static_cast<std::size_t>(first) * c_stride, c_stride, count, out);
    multiply({in, kMC, 1, depth, out, count}, b, epilogue);
  }
}

// Returns the epilogue of a range of columns that begins at `first`, without the post-op.
Epilogue from_column(const Epilogue& epilogue, int first) {
  Epilogue part = epilogue;
  part.post_op = nullptr;
  if (part.bias) part.bias += first;
  if (part.scale) part.scale += first;
  if (part.slopes) part.slopes += first;
  return part;
}

}  // namespace

void multiply(const float* a, std::size_t a_stride, int rows, int depth, const Panels& b, float* c,
              std::size_t c_stride, const Epilogue& epilogue) {
  if (rows == 1 && b.columns < kWideNR) {
    return multiply({&a, 1, 1, depth, &c, 1, true}, b, epilogue);
  }
  // With one column, a tile would compute three more in vain.
  constexpr int kMinDotDepth = 8;
  if (b.columns == 1 && c_stride == 1 && depth >= kMinDotDepth && !epilogue.residual && !epilogue.slopes &&
      !epilogue.scale) {
    return multiply_vector(a, a_stride, rows, depth, b.data, b.row_stride, c, epilogue);
  }
  const auto tiles = static_cast<std::size_t>((rows + kMR - 1) / kMR);
  if (tiles > 1) {
    const auto panels = static_cast<std::size_t>((b.columns + kNR - 1) / kNR);
    const std::size_t tile = static_cast<std::size_t>(depth) * kNR * kMR;
    return parallel_for(tiles, grain_size(tile * panels), [&](std::size_t begin, std::size_t end) {
      const int last = std::min(static_cast<int>(end) * kMR, rows);
      multiply_rows(a, a_stride, static_cast<int>(begin) * kMR, last, depth, b, c, c_stride, epilogue);
    });
  }
  // Products of few rows are bound by reading b. A matrix that is read sequentially is split into one range
  // of columns per thread, and into at least two, so that a lone thread requests workers.
  const int columns_each = b.columns / std::max(thread_count(), 2);
  const int streamed = std::max((columns_each + kNR - 1) / kNR, kMinStreamedPanels);
  const int width = kNR * (b.row_stride >= kMinStreamStride ? streamed : 1);
  const auto parts = static_cast<std::size_t>((b.columns + width - 1) / width);
  const std::size_t work = static_cast<std::size_t>(depth) * static_cast<std::size_t>(width * kMR);
  parallel_for(parts, grain_size(work), [&](std::size_t begin, std::size_t end) {
    const int first = static_cast<int>(begin) * width;
    Panels part = b;
    part.data = b.at(0, first);
    part.columns = std::min(static_cast<int>(end) * width, b.columns) - first;
    multiply_rows(a, a_stride, 0, rows, depth, part, c + first, c_stride, from_column(epilogue, first));
  });
  if (epilogue.post_op)
    epilogue.post_op->run(0, static_cast<std::size_t>(rows) * static_cast<std::size_t>(b.columns));
}

void multiply_packing(const IndirectionBuffer& rows, const float* b, std::size_t b_stride, int columns,
                      const Epilogue& epilogue) {
  const int depth = rows.taps * rows.depth;
  const auto groups = static_cast<std::size_t>((columns + kPackedColumns - 1) / kPackedColumns);
  const std::size_t size = static_cast<std::size_t>(depth) * kPackedColumns;
  const std::size_t grain = grain_size(size * static_cast<std::size_t>(rows.count));
  const int threads = threads_for(groups, grain);
  Scratch<float> scratch(static_cast<std::size_t>(threads), size);
  parallel_for(groups, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    float* packed = scratch.data() + static_cast<std::size_t>(slot) * size;
    float* out[kMC];
    IndirectionBuffer part = rows;
    part.out = out;
    for (std::size_t group = begin; group < end; ++group) {
      const int first = static_cast<int>(group) * kPackedColumns;
      const int count = std::min(kPackedColumns, columns - first);
      for (int r = 0; r < rows.count; ++r) out[r] = rows.out[r] + first;
      pack_columns(b + first, depth, count, b_stride, packed);
      multiply(part, {packed, static_cast<std::size_t>(depth) * kNR, kNR, count},
               from_column(epilogue, first));
    }
  });
  if (epilogue.post_op)
    epilogue.post_op->run(0, static_cast<std::size_t>(rows.count) * static_cast<std::size_t>(columns));
}

void multiply_packing(const float* a, std::size_t a_stride, int rows, int depth, const float* b,
                      std::size_t b_stride, int columns, float* c, std::size_t c_stride,
                      const Epilogue& epilogue) {
  const float* in[kMC];
  float* out[kMC];
  fill_row_pointers(a, a_stride, rows, in);
  fill_row_pointers(c, c_stride, rows, out);
  multiply_packing({in, kMC, 1, depth, out, rows}, b, b_stride, columns, epilogue);
}

}  // namespace tenure::cpu::gemm
