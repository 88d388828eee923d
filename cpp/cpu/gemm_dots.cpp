#include "cpu/elementwise.h"
#include "cpu/gemm.h"

namespace tenure::cpu::gemm {
namespace {

using simd::F32;
using simd::kLanes;

// The sums of the lanes of four vectors.
F32 sum_lanes(const F32 (&x)[4]) {
  const simd::RawF32 a = __builtin_shufflevector(x[0].v, x[1].v, 0, 4, 1, 5) +
                         __builtin_shufflevector(x[0].v, x[1].v, 2, 6, 3, 7);
  const simd::RawF32 b = __builtin_shufflevector(x[2].v, x[3].v, 0, 4, 1, 5) +
                         __builtin_shufflevector(x[2].v, x[3].v, 2, 6, 3, 7);
  return __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
}

// The product of one row with kCount others, in the first lanes.
template <int kCount>
F32 dots(const float* a, const float* b, std::size_t b_step, int depth) {
  F32 sum[4] = {0.0F, 0.0F, 0.0F, 0.0F};
  int k = 0;
  for (; k + kLanes <= depth; k += kLanes) {
    const F32 x = load(a + k);
    for (int i = 0; i < kCount; ++i)
      sum[i] = madd(x, load(b + static_cast<std::size_t>(i) * b_step + k), sum[i]);
  }
  for (; k < depth; ++k) {
    for (int i = 0; i < kCount; ++i) sum[i].v[0] += a[k] * b[static_cast<std::size_t>(i) * b_step + k];
  }
  return sum_lanes(sum);
}

}  // namespace

void multiply_dots(const float* a, std::size_t a_step, int rows, int depth, const float* b,
                   std::size_t b_step, int columns, float* c, std::size_t c_step, const Epilogue& epilogue) {
  const Clamp clamp = clamp_of(epilogue.activation);
  for (int r = 0; r < rows; ++r, a += a_step, c += c_step) {
    const auto finish = [&](int n, F32 sum, int count) {
      float* out = c + n;
      if (epilogue.accumulate) {
        float old[kLanes] = {};
        std::memcpy(old, out, static_cast<std::size_t>(count) * sizeof(float));
        sum = sum + load(old);
      } else if (epilogue.bias) {
        sum = sum + load(epilogue.bias + n);
      }
      store_up_to(out, clamp(sum), static_cast<std::size_t>(count));
    };
    int n = 0;
    for (; n + kLanes <= columns; n += kLanes) {
      finish(n, dots<4>(a, b + static_cast<std::size_t>(n) * b_step, b_step, depth), kLanes);
    }
    for (; n < columns; ++n)
      finish(n, dots<1>(a, b + static_cast<std::size_t>(n) * b_step, b_step, depth), 1);
    activate(c, static_cast<std::size_t>(columns), epilogue.activation, epilogue.alpha);
  }
}

}  // namespace tenure::cpu::gemm
