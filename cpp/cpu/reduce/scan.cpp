#include <algorithm>

#include "cpu/kernels.h"
#include "cpu/threads/parallel.h"

namespace tenure::cpu {
namespace {

/// Parameters of a scan along one line of elements.
struct ScanParams {
  std::size_t extent;
  std::ptrdiff_t step;
  bool is_exclusive;
};

/// Scans kLines lines together, whose dependency chains are independent. Each line begins at an offset of
/// `begin`.
template <std::size_t kLines, class From, class To, class Combine>
void scan_lines(const From* x, To* y, const std::ptrdiff_t* begin, const ScanParams& given, To first,
                Combine combine) {
  const ScanParams steps = given;
  std::ptrdiff_t at[kLines];
  To so_far[kLines];
  for (std::size_t l = 0; l < kLines; ++l) {
    at[l] = begin[l];
    so_far[l] = first;
  }
  for (std::size_t i = 0; i < steps.extent; ++i) {
#pragma GCC unroll 4
    for (std::size_t l = 0; l < kLines; ++l) {
      const To before = so_far[l];
      so_far[l] = combine(before, static_cast<To>(x[at[l]]));
      y[at[l]] = steps.is_exclusive ? before : so_far[l];
      at[l] += steps.step;
    }
  }
}

/// Scans along the axis, from its end if reversed.
template <class From, class To, class Combine>
void scan(const KernelArgs& args, To first, Combine combine) {
  constexpr std::size_t kTogether = 4;
  const auto attrs = args.attrs.as<CumulateAttrs>();
  const Shape& shape = args.out.shape();
  const int axis = normalize_axis(attrs.axis, shape.rank);
  const std::size_t inner = shape.elements(axis + 1, shape.rank);
  const auto step = static_cast<std::ptrdiff_t>(inner);
  const bool is_reversed = attrs.reverse != 0;
  const ScanParams steps = {static_cast<std::size_t>(shape[axis]), is_reversed ? -step : step,
                            attrs.exclusive != 0};
  if (steps.extent == 0) return;
  const std::ptrdiff_t origin = is_reversed ? step * (static_cast<std::ptrdiff_t>(steps.extent) - 1) : 0;
  const std::size_t lines = shape.elements(0, axis) * inner;
  const From* x = args.in[0].data<From>();
  To* y = args.out.mutable_data<To>();
  const auto line_begin = [&](std::size_t line) {
    return static_cast<std::ptrdiff_t>(line / inner * steps.extent * inner + line % inner) + origin;
  };
  parallel_for((lines + kTogether - 1) / kTogether, grain_size(steps.extent * kTogether),
               [&](std::size_t from, std::size_t end) {
                 std::size_t line = from * kTogether;
                 const std::size_t last = std::min(lines, end * kTogether);
                 for (; line + kTogether <= last; line += kTogether) {
                   const std::ptrdiff_t begin[] = {line_begin(line), line_begin(line + 1),
                                                   line_begin(line + 2), line_begin(line + 3)};
                   scan_lines<kTogether>(x, y, begin, steps, first, combine);
                 }
                 for (; line < last; ++line) {
                   const std::ptrdiff_t begin = line_begin(line);
                   scan_lines<1>(x, y, &begin, steps, first, combine);
                 }
               });
}

// Dispatches on the input's dtype. Integers wrap around, so they are computed unsigned.
template <class Combine>
void scan(const KernelArgs& args, int first, Combine combine) {
  switch (args.in[0].dtype()) {
    case DType::kFloat32: return scan<float>(args, static_cast<float>(first), combine);
    case DType::kInt32: return scan<std::uint32_t>(args, static_cast<std::uint32_t>(first), combine);
    default: return scan<std::uint8_t>(args, static_cast<std::uint32_t>(first), combine);
  }
}

}  // namespace

void cumsum(const KernelArgs& args) {
  scan(args, 0, [](auto a, auto b) { return a + b; });
}

void cumprod(const KernelArgs& args) {
  scan(args, 1, [](auto a, auto b) { return a * b; });
}

}  // namespace tenure::cpu
