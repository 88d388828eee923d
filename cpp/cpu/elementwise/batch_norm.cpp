#include <algorithm>
#include <cmath>

#include "cpu/elementwise/elementwise.h"
#include "cpu/kernels.h"
#include "cpu/threads/scratch.h"

namespace tenure::cpu {
namespace {

using simd::F32;

/// A parameter of shape [channels] or of x's shape, which repeats along x.
struct RepeatedParam {
  explicit RepeatedParam(const Tensor& tensor) : values(tensor.data<float>()), period(tensor.elements()) {}
  RepeatedParam(const float* value) : values(value), period(1) {}
  float operator[](std::size_t i) const { return values[i % period]; }
  const float* values;
  std::size_t period;
};

}  // namespace

void batch_norm(const KernelArgs& args) {
  const float zero = 0;
  const float one = 1;
  const RepeatedParam mean(args.in[1]);
  const RepeatedParam variance(args.in[2]);
  const RepeatedParam offset = args.in.has(3) ? RepeatedParam(args.in[3]) : RepeatedParam(&zero);
  const RepeatedParam scale = args.in.has(4) ? RepeatedParam(args.in[4]) : RepeatedParam(&one);
  const float epsilon = args.attrs.as<BatchNormAttrs>().epsilon;

  // One table serves all rows. A few channels are repeated, so that rows are long enough for a vector loop.
  constexpr std::size_t kShortRow = 256;
  const std::size_t n = args.out.elements();
  const std::size_t period = std::max({mean.period, variance.period, offset.period, scale.period});
  const std::size_t row = std::min(n, period * ((kShortRow + period - 1) / period));
  Scratch<float> table(3 * row + simd::kLanes);
  float* means = table.data();
  float* factors = means + row;
  float* offsets = factors + row;
  for (std::size_t i = 0; i < row; ++i) {
    means[i] = mean[i];
    factors[i] = scale[i] / std::sqrt(variance[i] + epsilon);
    offsets[i] = offset[i];
  }

  const float* x = args.in[0].data<float>();
  float* out = args.out.mutable_data<float>();
  for (std::size_t done = 0; done < n; done += row, x += row, out += row) {
    const std::size_t width = std::min(row, n - done);
    // The mean is subtracted first: folded into the offset, it would cost precision where it is large.
    const auto at = [&](std::size_t i) {
      return madd(load(x + i) - load(means + i), load(factors + i), load(offsets + i));
    };
    std::size_t i = 0;
    for (; i + simd::kLanes <= width; i += simd::kLanes) store(out + i, at(i));
    if (i < width) store_first(out + i, at(i), width - i);
  }
}

}  // namespace tenure::cpu
