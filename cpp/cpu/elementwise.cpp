#include "cpu/elementwise.h"

namespace tenure::cpu {

BroadcastPlan::BroadcastPlan(const Shape& a, const Shape& b, const Shape& out) {
  std::size_t full_a = 1;
  std::size_t full_b = 1;
  // From the last dimension on; reversed at the end.
  for (int i = 0; i < out.rank; ++i) {
    const auto width = static_cast<std::size_t>(out.back(i));
    const std::size_t in_a = i < a.rank && a.back(i) != 1 ? full_a : 0;
    const std::size_t in_b = i < b.rank && b.back(i) != 1 ? full_b : 0;
    if (i < a.rank) full_a *= static_cast<std::size_t>(a.back(i));
    if (i < b.rank) full_b *= static_cast<std::size_t>(b.back(i));
    if (width == 1) continue;
    if (rank > 0) {
      const int inner = rank - 1;
      if (in_a == step_a[inner] * extent[inner] && in_b == step_b[inner] * extent[inner]) {
        extent[inner] *= width;
        continue;
      }
    }
    extent[rank] = width;
    step_a[rank] = in_a;
    step_b[rank] = in_b;
    ++rank;
  }
  if (rank == 0) {
    extent[0] = 1;
    step_a[0] = step_b[0] = 1;
    rank = 1;
  }
  std::reverse(extent, extent + rank);
  std::reverse(step_a, step_a + rank);
  std::reverse(step_b, step_b + rank);
}

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
  const BinaryRows::Row row = plan.step_a[last] == 0   ? rows.repeat_first
                              : plan.step_b[last] == 0 ? rows.repeat_second
                                                       : rows.both;
  for_each_row(plan, [&](std::size_t at_a, std::size_t at_b, std::size_t at_out) {
    row(a + at_a * rows.in_size, b + at_b * rows.in_size, out + at_out * rows.out_size, width);
  });
}

}  // namespace tenure::cpu
