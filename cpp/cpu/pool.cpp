#include <algorithm>
#include <limits>

#include "core/window.h"
#include "cpu/elementwise.h"
#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

using simd::F32;
using simd::I32;

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

template <class Rule, class T>
void pool(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const auto attrs = args.attrs.as<PoolAttrs>();
  const WindowAxis rows = window_axis(x.dim(1), attrs.window_h, attrs.stride_h, attrs.dilation_h,
                                      attrs.padding, attrs.pad_top, attrs.pad_bottom, attrs.rounding);
  const WindowAxis columns = window_axis(x.dim(2), attrs.window_w, attrs.stride_w, attrs.dilation_w,
                                         attrs.padding, attrs.pad_left, attrs.pad_right, attrs.rounding);
  const auto channels = static_cast<std::size_t>(x.dim(3));
  const std::size_t row_step =
      channels * static_cast<std::size_t>(x.dim(2)) * static_cast<std::size_t>(rows.dilation);
  const std::size_t cell_step = channels * static_cast<std::size_t>(columns.dilation);
  T* out = args.out.mutable_data<T>();
  const T* image = x.data<T>();
  using V = decltype(load(image));
  for (std::int32_t n = 0; n < x.dim(0); ++n, image += x.shape().elements(1, 4)) {
    for (std::int32_t y = 0; y < rows.out; ++y) {
      const Taps down(rows, y);
      for (std::int32_t z = 0; z < columns.out; ++z, out += channels) {
        const Taps across(columns, z);
        const auto corner = (static_cast<std::ptrdiff_t>(down.start) * x.dim(2) + across.start) *
                            static_cast<std::ptrdiff_t>(channels);
        const auto pooled = [&](std::size_t channel) {
          V value = Rule::template first<V>();
          for (std::int32_t i = 0; i < down.count; ++i) {
            const T* cell = image + corner + channel + static_cast<std::size_t>(i) * row_step;
            for (std::int32_t j = 0; j < across.count; ++j, cell += cell_step)
              value = Rule::next(value, load(cell));
          }
          return Rule::last(value, down.count * across.count);
        };
        std::size_t c = 0;
        for (; c + simd::kLanes <= channels; c += simd::kLanes) store(out + c, pooled(c));
        if (c < channels) store_first(out + c, pooled(c), channels - c);
      }
    }
  }
}

}  // namespace

void max_pool(const KernelArgs& args) {
  args.out.dtype() == DType::kInt32 ? pool<Max, std::int32_t>(args) : pool<Max, float>(args);
}

void avg_pool(const KernelArgs& args) { pool<Average, float>(args); }

}  // namespace tenure::cpu
