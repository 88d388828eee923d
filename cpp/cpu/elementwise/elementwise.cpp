#include "cpu/elementwise/elementwise.h"

#include <algorithm>

#include "cpu/threads/parallel.h"
#include "shape_util/broadcast.h"

namespace tenure::cpu {

namespace {

/// Elements that are worth a thread; ranges begin at whole cache lines.
constexpr std::size_t kGrain = 65536;
constexpr std::size_t kLine = 64;
constexpr std::size_t kLanes = simd::kLanes;
constexpr std::size_t kWords = kLanes * sizeof(float);

/// Operand of a row kernel: element by element, or broadcast.
struct Operand {
  const std::byte* data;
  std::size_t mask = kStridedMask;
  Operand from(std::size_t element, std::size_t size) const { return {data + (element & mask) * size, mask}; }
};

/// An element of 4 bytes or 1 byte, broadcast to all lanes of a vector.
class Splat {
 public:
  Splat(const std::byte* element, std::size_t size) {
    if (size == sizeof(float)) {
      simd::F32::load_splat(reinterpret_cast<const float*>(element)).store(reinterpret_cast<float*>(values_));
    } else {
      std::memset(values_, std::to_integer<int>(*element), kLanes);
    }
  }
  Operand operand() const { return {values_, kBroadcastMask}; }

 private:
  alignas(16) std::byte values_[kWords];
};

void run_chunk(const BinaryRow& row, const Operand& a, const Operand& b, std::byte* out, std::size_t n) {
  const std::size_t whole = n / kLanes * kLanes;
  if (whole > 0) row.run(a.data, b.data, out, whole, a.mask, b.mask);
  if (whole == n) return;
  alignas(16) std::byte rest[kWords];
  const Operand rest_a = a.from(whole, row.in_size);
  const Operand rest_b = b.from(whole, row.in_size);
  row.run(rest_a.data, rest_b.data, rest, kLanes, a.mask, b.mask);
  std::memcpy(out + whole * row.out_size, rest, (n - whole) * row.out_size);
}

void run_chunk(const UnaryRow& row, const std::byte* in, std::byte* out, std::size_t n, const void* attrs) {
  const std::size_t whole = n / kLanes * kLanes;
  if (whole > 0) row.run(in, out, whole, attrs);
  if (whole == n) return;
  alignas(16) std::byte rest[kWords];
  row.run(in + whole * row.in_size, rest, kLanes, attrs);
  std::memcpy(out + whole * row.out_size, rest, (n - whole) * row.out_size);
}

constexpr std::size_t kNarrow = 64;
/// Elements of a block of a repeated operand. Long blocks make for few calls of row kernels, where filling
/// the block costs little in comparison.
constexpr std::size_t kBlock = 4 * kNarrow;
constexpr std::size_t kLongBlock = 4 * kBlock;

/// Runs a row kernel with one operand of `width` elements, up to half a block, such as a bias of some
/// channels, that repeats along the other's `n`. It is repeated until a vector loop pays. From the cache,
/// that costs as little as a loop with the operand in registers, of which each op would need two more.
void run_broadcast_row(const BinaryRow& row, const std::byte* a, const std::byte* b, std::byte* out,
                       std::size_t n, std::size_t width, bool first_repeats) {
  alignas(16) std::byte repeated[kLongBlock * sizeof(float) + Storage::kSlack];
  const std::size_t most = n < 16 * kLongBlock && width <= kBlock ? kBlock : kLongBlock;
  const std::size_t block = std::min(n, most / width * width);
  const std::size_t bytes = block * row.in_size;
  std::size_t filled = width * row.in_size;
  std::memcpy(repeated, first_repeats ? a : b, filled);
  for (; filled < bytes; filled *= 2)
    std::memcpy(repeated + filled, repeated, std::min(filled, bytes - filled));
  parallel_for((n + block - 1) / block, kGrain / block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t done = begin * block; done < std::min(n, end * block); done += block) {
      const std::byte* at = (first_repeats ? b : a) + done * row.in_size;
      run_chunk(row, {first_repeats ? repeated : at}, {first_repeats ? at : repeated},
                out + done * row.out_size, std::min(block, n - done));
    }
  });
}

/// Fills `count` elements, and up to three more, with the one at `element`.
void repeat_element(std::byte* out, const std::byte* element, std::size_t size, std::size_t count) {
  if (size == 1) {
    std::memset(out, std::to_integer<int>(*element), count);
    return;
  }
  float value;
  std::memcpy(&value, element, sizeof value);
  for (std::size_t i = 0; i < count; i += kLanes) simd::F32(value).store(reinterpret_cast<float*>(out) + i);
}

/// Runs a row kernel with one operand that is a column: a number for each row of `width` elements of the
/// other. Short rows are computed several at a time, with each number repeated `width` times.
void run_broadcast_column(const BinaryRow& row, const std::byte* a, const std::byte* b, std::byte* out,
                          std::size_t rows, std::size_t width, bool first_is_column) {
  alignas(16) std::byte repeated[(kLongBlock + kLanes) * sizeof(float)];
  const std::byte* column = first_is_column ? a : b;
  const std::byte* whole = first_is_column ? b : a;
  const std::size_t together = width <= kNarrow ? kLongBlock / width : 1;
  for (std::size_t r = 0; r < rows; r += together) {
    const std::size_t count = std::min(together, rows - r);
    const Operand from = {whole + r * width * row.in_size};
    std::byte* to = out + r * width * row.out_size;
    const auto run = [&](const Operand& numbers) {
      run_chunk(row, first_is_column ? numbers : from, first_is_column ? from : numbers, to, count * width);
    };
    if (together == 1) {
      run(Splat(column + r * row.in_size, row.in_size).operand());
      continue;
    }
    for (std::size_t i = 0; i < count; ++i) {
      repeat_element(repeated + i * width * row.in_size, column + (r + i) * row.in_size, row.in_size, width);
    }
    run({repeated});
  }
}

/// Calls row(offset_a, offset_b, offset_out) for the innermost rows from `begin` to `end`, offsets in
/// elements.
template <class Row>
void for_each_row(const BroadcastPlan& plan, std::size_t begin, std::size_t end, Row row) {
  std::size_t index[kMaxRank] = {};
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t rest = begin;
  for (int i = plan.rank - 2; i >= 0; --i) {
    index[i] = rest % plan.extent[i];
    rest /= plan.extent[i];
    a += index[i] * plan.stride_a[i];
    b += index[i] * plan.stride_b[i];
  }
  const std::size_t width = plan.extent[plan.rank - 1];
  for (std::size_t r = begin; r < end; ++r) {
    row(a, b, r * width);
    for (int i = plan.rank - 2; i >= 0; --i) {
      a += plan.stride_a[i];
      b += plan.stride_b[i];
      if (++index[i] < plan.extent[i]) break;
      a -= plan.stride_a[i] * plan.extent[i];
      b -= plan.stride_b[i] * plan.extent[i];
      index[i] = 0;
    }
  }
}

/// Splits a row kernel among threads. Not inlined: what it keeps in memory would cost small ops a twentieth
/// of their time.
[[gnu::noinline]] void run_parallel(const BinaryRow& row, const Operand& a, const Operand& b, std::byte* out,
                                    std::size_t n) {
  parallel_for((n + kLine - 1) / kLine, kGrain / kLine, [&](std::size_t begin, std::size_t end) {
    const std::size_t first = begin * kLine;
    run_chunk(row, a.from(first, row.in_size), b.from(first, row.in_size), out + first * row.out_size,
              std::min(n, end * kLine) - first);
  });
}

[[gnu::noinline]] void run_parallel(const UnaryRow& row, const std::byte* in, std::byte* out, std::size_t n,
                                    const void* attrs) {
  parallel_for((n + kLine - 1) / kLine, kGrain / kLine, [&](std::size_t begin, std::size_t end) {
    const std::size_t first = begin * kLine;
    run_chunk(row, in + first * row.in_size, out + first * row.out_size, std::min(n, end * kLine) - first,
              attrs);
  });
}

}  // namespace

void run_unary(const UnaryRow& row, const void* in, void* out, std::size_t n, const void* attrs) {
  const auto* from = static_cast<const std::byte*>(in);
  auto* to = static_cast<std::byte*>(out);
  n <= kGrain ? run_chunk(row, from, to, n, attrs) : run_parallel(row, from, to, n, attrs);
}

void run_binary(const KernelArgs& args, const BinaryRow& row) {
  const auto* a = args.in[0].data<std::byte>();
  const auto* b = args.in[1].data<std::byte>();
  auto* out = args.out.mutable_data<std::byte>();
  const std::size_t n = args.out.elements();
  const auto run = [&](const Operand& first, const Operand& second) {
    n <= kGrain ? run_chunk(row, first, second, out, n) : run_parallel(row, first, second, out, n);
  };
  if (args.in[0].shape() == args.in[1].shape()) return run({a}, {b});
  if (n == 0) return;
  if (args.in[1].elements() == 1) return run({a}, Splat(b, row.in_size).operand());
  if (args.in[0].elements() == 1) return run(Splat(a, row.in_size).operand(), {b});

  const BroadcastPlan plan(args.in[0].shape(), args.in[1].shape(), args.out.shape());
  const int last = plan.rank - 1;
  const std::size_t width = plan.extent[last];
  const bool both_strided = plan.stride_a[last] + plan.stride_b[last] == 2;
  if (plan.rank == 2 && width <= kLongBlock / 2 && both_strided &&
      (plan.stride_a[0] == 0 || plan.stride_b[0] == 0)) {
    return run_broadcast_row(row, a, b, out, n, width, plan.stride_a[0] == 0);
  }
  const bool first_is_column = plan.stride_a[last] == 0;
  const std::size_t grain = std::max<std::size_t>(kGrain / width, 1);
  if (plan.rank == 2 && !both_strided && plan.stride_a[0] + plan.stride_b[0] == 1 + width) {
    return parallel_for(n / width, grain, [&](std::size_t begin, std::size_t end) {
      run_broadcast_column(row, a + begin * plan.stride_a[0] * row.in_size,
                           b + begin * plan.stride_b[0] * row.in_size, out + begin * width * row.out_size,
                           end - begin, width, first_is_column);
    });
  }
  parallel_for(n / width, grain, [&](std::size_t begin, std::size_t end) {
    for_each_row(plan, begin, end, [&](std::size_t at_a, std::size_t at_b, std::size_t at_out) {
      const std::byte* row_a = a + at_a * row.in_size;
      const std::byte* row_b = b + at_b * row.in_size;
      std::byte* row_out = out + at_out * row.out_size;
      if (both_strided) return run_chunk(row, {row_a}, {row_b}, row_out, width);
      run_broadcast_column(row, row_a, row_b, row_out, 1, width, first_is_column);
    });
  });
}

}  // namespace tenure::cpu
