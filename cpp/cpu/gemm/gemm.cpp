#include "cpu/gemm/gemm.h"

#include <algorithm>

#include "core/run/backend.h"
#include "cpu/gemm/gemm_sweep.h"
#include "cpu/simd/expressions.h"
#include "cpu/threads/parallel.h"
#include "cpu/threads/scratch.h"

namespace tenure::cpu::gemm {
namespace {

using simd::F32;
using simd::kLanes;

// Minimum row stride of an unpacked matrix that is read sequentially.
constexpr std::size_t kLeastStream = 128;
// Minimum panels of such a matrix in one thread's range.
constexpr int kStreamedPanels = 16;

// Applies the activation to the output, with one call for contiguous rows.
[[gnu::noinline]] void activate_rows(const Rows& rows, std::size_t columns, const Epilogue& epilogue) {
  for (int first = 0, end = 0; first < rows.count; first = end) {
    for (end = first + 1; end < rows.count && rows.out[end] == rows.out[end - 1] + columns;) ++end;
    apply_activation(rows.out[first], static_cast<std::size_t>(end - first) * columns, epilogue.activation,
                     epilogue.alpha);
  }
}

// Applies the scale, and what follows it, to a stored row. Not in the micro-kernels: with two more vectors to
// load at their end, V8 keeps the sums in memory throughout, and a product takes a third longer.
[[gnu::noinline]] void scale_row(const float* scale, const float* bias, const float* residual, Clamp clamp,
                                 const float* slopes, float* row, int columns) {
  for (int c = 0; c < columns; c += kLanes) {
    F32 x = madd(load(row + c), load(scale + c), bias ? load(bias + c) : F32(0.0F));
    if (residual) x = x + load(residual + c);
    if (slopes) x = expressions::binary_prelu::apply(x, load(slopes + c));
    store_up_to(row + c, clamp(x), static_cast<std::size_t>(columns - c));
  }
}

[[gnu::noinline]] void scale_rows(const Rows& rows, int columns, const Epilogue& epilogue) {
  const Clamp clamp = clamp_of(epilogue.activation);
  for (int r = 0; r < rows.count; ++r) {
    const float* residual = epilogue.residual ? epilogue.residual + (rows.out[r] - epilogue.result) : nullptr;
    scale_row(epilogue.scale, epilogue.bias, residual, clamp, epilogue.slopes, rows.out[r], columns);
  }
}

// True if a product of few rows reads `b` sequentially. A depth of up to kStreams is left to the
// micro-kernels, which store each output only once.
bool reads_streams(const Rows& rows, const Panels& b) {
  return rows.count <= kMostStreamed && rows.taps == 1 && rows.depth > kStreams && b.row_step >= kLeastStream;
}

void sweep_slices(const Rows& rows, const Panels& b, const Epilogue& epilogue) {
  const int taps_at_once = std::clamp(kDepth / std::max(rows.depth, 1), 1, std::max(rows.taps, 1));
  Pass p = {.in = rows.in,
            .step = rows.step,
            .panel_step = b.panel_step,
            .row_step = b.row_step,
            .out = rows.out,
            .rows = rows.count,
            .add = epilogue.accumulate,
            .to_residual = epilogue.residual ? distance(epilogue.result, epilogue.residual) : 0,
            .alone = rows.alone};
  int tap = 0;
  do {
    p.in = rows.in + static_cast<std::size_t>(tap) * rows.step;
    p.taps = std::min(taps_at_once, rows.taps - tap);
    p.from = 0;
    do {
      p.depth = std::min(kDepth, rows.depth - p.from);
      const bool last = tap + p.taps >= rows.taps && p.from + p.depth >= rows.depth;
      if (last) p.clamp = clamp_of(epilogue.activation);
      p.clamps = !p.clamp.is_open();
      p.adds_residual = last && epilogue.residual;
      if (last) p.slopes = epilogue.slopes;
      sweep(p, b, tap * rows.depth + p.from, last ? epilogue.bias : nullptr);
      p.add = true;
      p.from += p.depth;
    } while (p.from < rows.depth);
    tap += p.taps;
  } while (tap < rows.taps);
}

}  // namespace

bool stores_once(int products, std::size_t row_step) {
  return products <= (row_step >= kLeastStream ? kStreams : kDepth);
}

void multiply(const Rows& rows, const Panels& b, const Epilogue& given) {
  Epilogue epilogue = given;
  if (given.scale) {
    epilogue.bias = epilogue.residual = epilogue.slopes = nullptr;
    epilogue.activation = Activation::kLinear;
  }
  if (reads_streams(rows, b) && !given.slopes) {
    stream(rows, b, epilogue);
  } else {
    sweep_slices(rows, b, epilogue);
  }
  if (given.scale) scale_rows(rows, b.columns, given);
  if (!is_clamp(given.activation)) activate_rows(rows, static_cast<std::size_t>(b.columns), given);
  if (epilogue.then) {
    epilogue.then->run(static_cast<std::size_t>(rows.out[0] - epilogue.result),
                       static_cast<std::size_t>(rows.count) * static_cast<std::size_t>(b.columns));
  }
}

void line_up(const float* first, std::size_t step, int count, const float** to) {
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
void multiply_rows(const float* a, std::size_t a_step, int first, int last, int depth, const Panels& b,
                   float* c, std::size_t c_step, const Epilogue& epilogue) {
  const float* in[kBlockRows];
  float* out[kBlockRows];
  for (; first < last; first += kBlockRows) {
    const int count = std::min(kBlockRows, last - first);
    line_up(a + static_cast<std::size_t>(first) * a_step, a_step, count, in);
    line_up(c + static_cast<std::size_t>(first) * c_step, c_step, count, out);
    multiply({in, kBlockRows, 1, depth, out, count}, b, epilogue);
  }
}

// Returns the epilogue of a range of columns that begins at `first`, without the post-op.
Epilogue from_column(const Epilogue& epilogue, int first) {
  Epilogue part = epilogue;
  part.then = nullptr;
  if (part.bias) part.bias += first;
  if (part.scale) part.scale += first;
  if (part.slopes) part.slopes += first;
  return part;
}

}  // namespace

void multiply(const float* a, std::size_t a_step, int rows, int depth, const Panels& b, float* c,
              std::size_t c_step, const Epilogue& epilogue) {
  if (rows == 1 && b.columns < kWide) {
    return multiply({&a, 1, 1, depth, &c, 1, true}, b, epilogue);
  }
  // With one column, a tile would compute three more in vain.
  constexpr int kLeastDots = 8;
  if (b.columns == 1 && c_step == 1 && depth >= kLeastDots && !epilogue.residual && !epilogue.slopes &&
      !epilogue.scale) {
    return multiply_column(a, a_step, rows, depth, b.data, b.row_step, c, epilogue);
  }
  const auto tiles = static_cast<std::size_t>((rows + kTileRows - 1) / kTileRows);
  if (tiles > 1) {
    const auto panels = static_cast<std::size_t>((b.columns + kPanel - 1) / kPanel);
    const std::size_t tile = static_cast<std::size_t>(depth) * kPanel * kTileRows;
    return parallel_for(tiles, grain_of(tile * panels), [&](std::size_t begin, std::size_t end) {
      const int last = std::min(static_cast<int>(end) * kTileRows, rows);
      multiply_rows(a, a_step, static_cast<int>(begin) * kTileRows, last, depth, b, c, c_step, epilogue);
    });
  }
  // Products of few rows are bound by reading b. A matrix that is read sequentially is split into one range
  // of columns per thread, and into at least two, so that a lone thread requests workers.
  const int columns_each = b.columns / std::max(thread_count(), 2);
  const int streamed = std::max((columns_each + kPanel - 1) / kPanel, kStreamedPanels);
  const int width = kPanel * (b.row_step >= kLeastStream ? streamed : 1);
  const auto parts = static_cast<std::size_t>((b.columns + width - 1) / width);
  const std::size_t work = static_cast<std::size_t>(depth) * static_cast<std::size_t>(width * kTileRows);
  parallel_for(parts, grain_of(work), [&](std::size_t begin, std::size_t end) {
    const int first = static_cast<int>(begin) * width;
    Panels part = b;
    part.data = b.at(0, first);
    part.columns = std::min(static_cast<int>(end) * width, b.columns) - first;
    multiply_rows(a, a_step, 0, rows, depth, part, c + first, c_step, from_column(epilogue, first));
  });
  if (epilogue.then)
    epilogue.then->run(0, static_cast<std::size_t>(rows) * static_cast<std::size_t>(b.columns));
}

void multiply_packing(const Rows& rows, const float* b, std::size_t b_step, int columns,
                      const Epilogue& epilogue) {
  const int depth = rows.taps * rows.depth;
  const auto groups = static_cast<std::size_t>((columns + kPackedColumns - 1) / kPackedColumns);
  const std::size_t size = static_cast<std::size_t>(depth) * kPackedColumns;
  const std::size_t grain = grain_of(size * static_cast<std::size_t>(rows.count));
  const int threads = threads_for(groups, grain);
  Scratch<float> scratch(static_cast<std::size_t>(threads), size);
  parallel_for(groups, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    float* packed = scratch.data() + static_cast<std::size_t>(slot) * size;
    float* out[kBlockRows];
    Rows part = rows;
    part.out = out;
    for (std::size_t group = begin; group < end; ++group) {
      const int first = static_cast<int>(group) * kPackedColumns;
      const int count = std::min(kPackedColumns, columns - first);
      for (int r = 0; r < rows.count; ++r) out[r] = rows.out[r] + first;
      pack_columns(b + first, depth, count, b_step, packed);
      multiply(part, {packed, static_cast<std::size_t>(depth) * kPanel, kPanel, count},
               from_column(epilogue, first));
    }
  });
  if (epilogue.then)
    epilogue.then->run(0, static_cast<std::size_t>(rows.count) * static_cast<std::size_t>(columns));
}

void multiply_packing(const float* a, std::size_t a_step, int rows, int depth, const float* b,
                      std::size_t b_step, int columns, float* c, std::size_t c_step,
                      const Epilogue& epilogue) {
  const float* in[kBlockRows];
  float* out[kBlockRows];
  line_up(a, a_step, rows, in);
  line_up(c, c_step, rows, out);
  multiply_packing({in, kBlockRows, 1, depth, out, rows}, b, b_step, columns, epilogue);
}

}  // namespace tenure::cpu::gemm
