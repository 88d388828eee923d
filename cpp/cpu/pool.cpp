#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "cpu/elementwise.h"
#include "cpu/kernels.h"
#include "cpu/parallel.h"
#include "geometry/window.h"

namespace tenure::cpu {
namespace {

struct Max {
  template <class V>
  static V first() {
    using Limits = std::numeric_limits<typename V::Element>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  // A NaN in the window is passed over, as TensorFlow.js does.
  template <class V>
  static V next(V so_far, V x) {
    return max(so_far, x);
  }
  template <class V>
  static V last(V so_far, int) {
    return so_far;
  }
};

struct Average {
  template <class V>
  static V first() {
    return V(0.0F);
  }
  template <class V>
  static V next(V so_far, V x) {
    return so_far + x;
  }
  // Cells in the padding do not count; a window without cells gives NaN.
  template <class V>
  static V last(V so_far, int cells) {
    return so_far / V(static_cast<float>(cells));
  }
};

/// The part of a window that lies inside the input.
struct Taps {
  Taps(const WindowAxis& axis, std::int32_t o)
      : first(axis.first_tap(axis.origin(o))),
        count(std::max(0, axis.end_tap(axis.origin(o)) - first)),
        start(axis.origin(o) + first * axis.dilation) {}
  std::int32_t first;
  std::int32_t count;
  std::int32_t start;
};

/// The cells of one window: where they begin and how far they lie apart, in elements.
template <class T>
struct Window {
  const T* corner;
  std::int32_t height;
  std::int32_t width;
  std::size_t row_step;
  std::size_t cell_step;
};

/// kVectors times four channels at once.
template <class Rule, int kVectors, class T>
auto pool_channels(const Window<T>& window, std::size_t channel) {
  using V = decltype(load(window.corner));
  std::array<V, kVectors> values;
  values.fill(Rule::template first<V>());
  for (std::int32_t i = 0; i < window.height; ++i) {
    const T* cell = window.corner + channel + static_cast<std::size_t>(i) * window.row_step;
    for (std::int32_t j = 0; j < window.width; ++j, cell += window.cell_step) {
      for (int k = 0; k < kVectors; ++k) values[k] = Rule::next(values[k], load(cell + k * simd::kLanes));
    }
  }
  for (V& value : values) value = Rule::last(value, window.height * window.width);
  return values;
}

template <class Rule, class T>
void pool_cell(const Window<T>& window, std::size_t channels, T* out) {
  constexpr int kVectors = 4;
  constexpr std::size_t kStep = kVectors * simd::kLanes;
  std::size_t c = 0;
  for (; c + kStep <= channels; c += kStep) {
    const auto values = pool_channels<Rule, kVectors>(window, c);
    for (int k = 0; k < kVectors; ++k) store(out + c + k * simd::kLanes, values[k]);
  }
  for (; c + simd::kLanes <= channels; c += simd::kLanes)
    store(out + c, pool_channels<Rule, 1>(window, c)[0]);
  if (c < channels) store_first(out + c, pool_channels<Rule, 1>(window, c)[0], channels - c);
}

template <class Rule, class T>
void pool(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const auto attrs = args.attrs.as<PoolAttrs>();
  const auto [rows, columns] = pool_geometry(x.shape(), attrs);
  const auto channels = static_cast<std::size_t>(x.dim(3));
  const std::size_t row_size = channels * static_cast<std::size_t>(x.dim(2));
  std::vector<Taps> across;
  across.reserve(static_cast<std::size_t>(columns.out));
  for (std::int32_t i = 0; i < columns.out; ++i) across.emplace_back(columns, i);
  const T* first = x.data<T>();
  T* all = args.out.mutable_data<T>();
  const auto height = static_cast<std::size_t>(rows.out);
  const std::size_t out_size = channels * across.size();
  const std::size_t work = out_size * static_cast<std::size_t>(rows.window * columns.window + 4);
  parallel_for(static_cast<std::size_t>(x.dim(0)) * height, grain_of(work),
               [&](std::size_t begin, std::size_t end) {
                 T* out = all + begin * out_size;
                 for (std::size_t r = begin; r < end; ++r) {
                   const T* image = first + r / height * x.shape().elements(1, 4);
                   const Taps down(rows, static_cast<std::int32_t>(r % height));
                   for (const Taps& taps : across) {
                     const bool empty = down.count == 0 || taps.count == 0;
                     const std::size_t at = static_cast<std::size_t>(down.start) * row_size +
                                            static_cast<std::size_t>(taps.start) * channels;
                     const Window<T> window{empty ? image : image + at, empty ? 0 : down.count, taps.count,
                                            static_cast<std::size_t>(rows.dilation) * row_size,
                                            static_cast<std::size_t>(columns.dilation) * channels};
                     pool_cell<Rule>(window, channels, out);
                     out += channels;
                   }
                 }
               });
}

}  // namespace

void max_pool(const KernelArgs& args) {
  args.out.dtype() == DType::kInt32 ? pool<Max, std::int32_t>(args) : pool<Max, float>(args);
}

void avg_pool(const KernelArgs& args) { pool<Average, float>(args); }

}  // namespace tenure::cpu
