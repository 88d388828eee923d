#include "cpu/elementwise.h"

#include <algorithm>

namespace tenure::cpu {

namespace {

constexpr std::size_t kNarrow = 64;

/// One operand is a row of a few elements, a bias of some channels perhaps, used for every row of the other:
/// it is repeated until a vector loop is worth its while.
void run_repeated(const KernelArgs& args, const BinaryRows& rows, std::size_t width, bool first_repeats) {
  const auto* row = args.in[first_repeats ? 0 : 1].data<std::byte>();
  const auto* full = args.in[first_repeats ? 1 : 0].data<std::byte>();
  auto* out = args.out.mutable_data<std::byte>();
  const std::size_t n = args.out.elements();
  const std::size_t block = std::min(n, 4 * kNarrow / width * width);
  alignas(16) std::byte repeated[4 * kNarrow * sizeof(float) + Storage::kSlack];
  for (std::size_t i = 0; i < block; i += width) {
    std::memcpy(repeated + i * rows.in_size, row, width * rows.in_size);
  }
  for (std::size_t done = 0; done < n; done += block) {
    const std::byte* at = full + done * rows.in_size;
    rows.both(first_repeats ? repeated : at, first_repeats ? at : repeated, out + done * rows.out_size,
              std::min(block, n - done));
  }
}

}  // namespace

void run_rows(const KernelArgs& args, const BinaryRows& rows) {
  const auto* a = args.in[0].data<std::byte>();
  const auto* b = args.in[1].data<std::byte>();
  auto* out = args.out.mutable_data<std::byte>();
  const std::size_t n = args.out.elements();
  if (args.in[0].shape() == args.in[1].shape()) return rows.both(a, b, out, n);
  if (args.in[1].elements() == 1) return rows.repeat_second(a, b, out, n);
  if (args.in[0].elements() == 1) return rows.repeat_first(a, b, out, n);

  const BroadcastPlan plan(args.in[0].shape(), args.in[1].shape(), args.out.shape());
  const int last = plan.rank - 1;
  const std::size_t width = plan.extent[last];
  if (plan.rank == 2 && width <= kNarrow && plan.step_a[last] + plan.step_b[last] == 2 &&
      (plan.step_a[0] == 0 || plan.step_b[0] == 0)) {
    return run_repeated(args, rows, width, plan.step_a[0] == 0);
  }
  const BinaryRows::Row row = plan.step_a[last] == 0   ? rows.repeat_first
                              : plan.step_b[last] == 0 ? rows.repeat_second
                                                       : rows.both;
  for_each_row(plan, [&](std::size_t at_a, std::size_t at_b, std::size_t at_out) {
    row(a + at_a * rows.in_size, b + at_b * rows.in_size, out + at_out * rows.out_size, width);
  });
}

}  // namespace tenure::cpu
