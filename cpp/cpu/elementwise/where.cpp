#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

/// Broadcast of three inputs to one output. Neighbouring dimensions are collapsed where all inputs have
/// matching strides.
struct TernaryBroadcast {
  explicit TernaryBroadcast(const KernelArgs& args) {
    const Shape& shape = args.out.shape();
    for (int i = 0; i < shape.size(); ++i) {
      if (shape[i] == 1) continue;
      std::size_t steps[3];
      for (int k = 0; k < 3; ++k) steps[k] = get_stride(args.in[k].shape(), shape.size() - 1 - i);
      add(static_cast<std::size_t>(shape[i]), steps);
    }
    constexpr std::size_t kNoSteps[3] = {};
    if (rank == 0) add(1, kNoSteps);
  }

  int rank = 0;
  std::size_t extent[kMaxRank];
  std::size_t step[kMaxRank][3];

 private:
  static std::size_t get_stride(const Shape& shape, int from_last) {
    if (from_last >= shape.size() || shape.back(from_last) == 1) return 0;
    return shape.elements(shape.size() - from_last, shape.size());
  }

  void add(std::size_t width, const std::size_t* steps) {
    bool continues = rank > 0;
    for (int k = 0; k < 3; ++k) continues = continues && step[rank - 1][k] == width * steps[k];
    if (continues) {
      extent[rank - 1] *= width;
    } else {
      extent[rank++] = width;
    }
    std::copy(steps, steps + 3, step[rank - 1]);
  }
};

template <class T>
void select_row(const std::uint8_t* condition, const T* a, const T* b, T* out, std::size_t count,
                const std::size_t* step) {
  if (step[0] == 0) {
    const T* from = *condition ? a : b;
    const std::size_t stride = *condition ? step[1] : step[2];
    for (std::size_t i = 0; i < count; ++i) out[i] = from[i * stride];
  } else if (step[1] == 1 && step[2] == 1) {
    for (std::size_t i = 0; i < count; ++i) out[i] = condition[i] ? a[i] : b[i];
  } else if (step[1] == 1) {
    const T other = *b;
    for (std::size_t i = 0; i < count; ++i) out[i] = condition[i] ? a[i] : other;
  } else if (step[2] == 1) {
    const T other = *a;
    for (std::size_t i = 0; i < count; ++i) out[i] = condition[i] ? other : b[i];
  } else {
    const T both[] = {*b, *a};
    for (std::size_t i = 0; i < count; ++i) out[i] = both[condition[i] != 0];
  }
}

template <class T>
void select_all(const TernaryBroadcast& plan, const Tensor& condition, const Tensor& a, const Tensor& b,
                Tensor& out) {
  const int last = plan.rank - 1;
  std::size_t index[kMaxRank] = {};
  std::size_t at[3] = {};
  T* row = out.mutable_data<T>();
  for (;; row += plan.extent[last]) {
    select_row(condition.data<std::uint8_t>() + at[0], a.data<T>() + at[1], b.data<T>() + at[2], row,
               plan.extent[last], plan.step[last]);
    int i = last - 1;
    for (; i >= 0; --i) {
      const bool more = ++index[i] < plan.extent[i];
      for (int k = 0; k < 3; ++k) at[k] += plan.step[i][k] * (more ? 1 : 1 - plan.extent[i]);
      if (more) break;
      index[i] = 0;
    }
    if (i < 0) return;
  }
}

Tensor converted(const Tensor& x, DType dtype) {
  if (x.dtype() == dtype) return x;
  Tensor out({x.shape(), dtype});
  cast({{&x}, {}, out});
  return out;
}

}  // namespace

void where(const KernelArgs& args) {
  const Tensor a = converted(args.in[1], args.out.dtype());
  const Tensor b = converted(args.in[2], args.out.dtype());
  const TernaryBroadcast plan(args);
  switch (element_size(args.out.dtype())) {
    case 1: return select_all<std::uint8_t>(plan, args.in[0], a, b, args.out);
    case 8: return select_all<std::uint64_t>(plan, args.in[0], a, b, args.out);
    default: return select_all<std::uint32_t>(plan, args.in[0], a, b, args.out);
  }
}

}  // namespace tenure::cpu
