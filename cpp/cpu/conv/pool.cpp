#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "cpu/elementwise/elementwise.h"
#include "cpu/kernels.h"
#include "cpu/threads/parallel.h"
#include "cpu/threads/scratch.h"
#include "shape_util/window.h"

namespace tenure::cpu {
namespace {

struct Max {
  using Accumulator = Max;
  template <class V>
  static V first() {
    using Limits = std::numeric_limits<typename V::Element>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  // Ignores a NaN in the window, as TensorFlow.js does.
  template <class V>
  static V next(V so_far, V x) {
    return max(so_far, x);
  }
  template <class V>
  static V last(V so_far, int) {
    return so_far;
  }
};

struct Sum {
  template <class V>
  static V first() {
    return V(0.0F);
  }
  template <class V>
  static V next(V so_far, V x) {
    return so_far + x;
  }
  template <class V>
  static V last(V so_far, int) {
    return so_far;
  }
};

struct Average : Sum {
  using Accumulator = Sum;
  // Cells in the padding do not count; the average of a window without cells is NaN.
  template <class V>
  static V last(V so_far, int cells) {
    return so_far / V(static_cast<float>(cells));
  }
};

/// The taps of a window that lie inside the input, along one axis.
struct Taps {
  Taps(const WindowAxis& axis, std::int32_t o)
      : first(axis.first_tap(axis.origin(o))),
        count(std::max(0, axis.end_tap(axis.origin(o)) - first)),
        start(axis.origin(o) + first * axis.dilation) {}
  std::int32_t first;
  std::int32_t count;
  std::int32_t start;
};

/// The cells of one window; strides are in elements. Each cell may combine `depth` cells.
template <class T>
struct Window {
  const T* corner;
  std::int32_t height;
  std::int32_t width;
  std::size_t row_stride;
  std::size_t cell_stride;
  std::int32_t depth = 1;
};

/// Pools channels from `c` on, kVectors vectors at a time, while they fit, and returns the first channel that
/// is left. With kVectors = 1 the last vector may be partial. Not inlined, so that engines compile it early.
template <class Pooling, int kVectors, class T>
[[gnu::noinline]] std::size_t pool_channels(const Window<T>& given, std::size_t c, std::size_t channels,
                                            T* out) {
  using V = decltype(load(given.corner));
  constexpr std::size_t kStep = kVectors * simd::kLanes;
  const Window<T> window = given;
  for (; c + (kVectors > 1 ? kStep : 1) <= channels; c += kStep) {
    std::array<V, kVectors> values;
    values.fill(Pooling::template first<V>());
    const T* row = window.corner + c;
    for (std::int32_t i = 0; i < window.height; ++i, row += window.row_stride) {
      const T* cell = row;
      for (std::int32_t j = 0; j < window.width; ++j, cell += window.cell_stride) {
        for (int k = 0; k < kVectors; ++k)
          values[k] = Pooling::next(values[k], load(cell + k * simd::kLanes));
      }
    }
    for (V& value : values) value = Pooling::last(value, window.height * window.width * window.depth);
    if (kVectors == 1 && channels - c < kStep) {
      store_first(out + c, values[0], channels - c);
    } else {
      for (int k = 0; k < kVectors; ++k) store(out + c + k * simd::kLanes, values[k]);
    }
  }
  return c;
}

template <class Pooling, class T>
void pool_cell(const Window<T>& window, std::size_t channels, T* out) {
  constexpr int kVectors = 4;
  std::size_t c = 0;
  if (channels >= kVectors * simd::kLanes) c = pool_channels<Pooling, kVectors>(window, 0, channels, out);
  if (c < channels) pool_channels<Pooling, 1>(window, c, channels, out);
}

/// Geometry of all windows of a pooling.
struct PoolWindows {
  explicit PoolWindows(const KernelArgs& args)
      : geometry(pool_geometry(args.in[0].shape(), args.attrs.as<PoolAttrs>())),
        channels(static_cast<std::size_t>(args.in[0].dim(3))),
        row_size(channels * static_cast<std::size_t>(args.in[0].dim(2))) {
    const WindowAxis& columns = geometry.columns;
    across.reserve(static_cast<std::size_t>(columns.out));
    for (std::int32_t i = 0; i < columns.out; ++i) across.emplace_back(columns, i);
  }
  std::size_t height() const { return static_cast<std::size_t>(geometry.rows.out); }
  std::size_t row_work() const {
    // A caller's window may have any size; if this wraps, only the split among threads changes.
    const std::size_t cells =
        static_cast<std::size_t>(geometry.rows.window) * static_cast<std::size_t>(geometry.columns.window);
    return channels * across.size() * (cells + 4);
  }
  /// True if channels are so few that the overhead of each window outweighs its arithmetic.
  bool has_few_channels() const { return channels < 4 * simd::kLanes; }
  /// True if columns are combined once for all windows that they belong to, because most belong to two or
  /// more. If most belong to one, this is still faster for few channels, and for a single window in a row:
  /// its cells would lie in few sets of the cache, whereas combined rows are read sequentially.
  bool should_share_columns() const {
    const std::int64_t window = geometry.columns.window;
    const std::int64_t stride = geometry.columns.stride;
    const bool are_most_used = across.size() == 1 ? 2 * window >= geometry.columns.in : 2 * window >= stride;
    return window > 2 * stride || ((has_few_channels() || across.size() == 1) && are_most_used);
  }

  PoolGeometry geometry;
  std::size_t channels;
  std::size_t row_size;
  std::vector<Taps> across;
};

/// Pools one row of windows from combined columns of `rows` rows each. Vectors reach into the next window,
/// which is written after them.
template <class Pooling>
[[gnu::noinline]] void pool_narrow(const PoolWindows& windows, const float* columns, std::int32_t rows,
                                   float* out) {
  using V = simd::F32;
  const std::size_t channels = windows.channels;
  const std::size_t cell_stride = static_cast<std::size_t>(windows.geometry.columns.dilation) * channels;
  const Taps* const last = &windows.across.back();
  for (const Taps* taps = windows.across.data(); taps <= last; ++taps, out += channels) {
    const std::int32_t count = rows > 0 ? taps->count : 0;
    const float* const first =
        count > 0 ? columns + static_cast<std::size_t>(taps->start) * channels : columns;
#pragma GCC unroll 1
    for (std::size_t c = 0; c < channels; c += simd::kLanes) {
      V value = Pooling::template first<V>();
      const float* cell = first + c;
      for (std::int32_t j = 0; j < count; ++j, cell += cell_stride) value = Pooling::next(value, load(cell));
      value = Pooling::last(value, count * rows);
      if (taps < last || c + simd::kLanes <= channels) {
        store(out + c, value);
      } else {
        store_first(out + c, value, channels - c);
      }
    }
  }
}

/// Pools one row of windows. `whole` are the rows of the image that they cover; `columns` has room for one
/// row of combined columns.
template <class Pooling, class T>
void pool_row(const PoolWindows& windows, const Window<T>& whole, T* columns, T* out) {
  Window<T> window = whole;
  if (windows.should_share_columns()) {
    pool_cell<typename Pooling::Accumulator>(whole, windows.row_size, columns);
    if constexpr (std::is_same_v<T, float>) {
      if (windows.has_few_channels()) return pool_narrow<Pooling>(windows, columns, whole.height, out);
    }
    window = {columns, whole.height > 0 ? 1 : 0, 1, 0, 0, whole.height};
  }
  const std::size_t channels = windows.channels;
  const T* const first = window.corner;
  window.cell_stride = static_cast<std::size_t>(windows.geometry.columns.dilation) * channels;
  for (const Taps& taps : windows.across) {
    window.corner = taps.count > 0 ? first + static_cast<std::size_t>(taps.start) * channels : first;
    window.width = taps.count;
    pool_cell<Pooling>(window, channels, out);
    out += channels;
  }
}

template <class Pooling, class T>
void pool(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  if (args.out.elements() == 0) return;
  const PoolWindows windows(args);
  const WindowAxis& rows = windows.geometry.rows;
  const std::size_t count = static_cast<std::size_t>(x.dim(0)) * windows.height();
  const std::size_t grain = grain_size(windows.row_work());
  const int threads = threads_for(count, grain);
  const std::size_t size = windows.should_share_columns() ? windows.row_size : 0;
  Scratch<T> scratch(static_cast<std::size_t>(threads), size + Storage::kSlack / sizeof(T));
  const T* images = x.data<T>();
  T* all = args.out.mutable_data<T>();
  parallel_for(count, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    T* columns = scratch.data() + size * static_cast<std::size_t>(slot);
    for (std::size_t r = begin; r < end; ++r) {
      const T* image = images + r / windows.height() * x.shape().elements(1, 4);
      const Taps down(rows, static_cast<std::int32_t>(r % windows.height()));
      const T* top = down.count > 0 ? image + static_cast<std::size_t>(down.start) * windows.row_size : image;
      const std::size_t row_stride = static_cast<std::size_t>(rows.dilation) * windows.row_size;
      pool_row<Pooling, T>(windows, {top, down.count, 1, row_stride, 0}, columns,
                           all + r * windows.channels * windows.across.size());
    }
  });
}

}  // namespace

void max_pool(const KernelArgs& args) {
  args.out.dtype() == DType::kInt32 ? pool<Max, std::int32_t>(args) : pool<Max, float>(args);
}

void avg_pool(const KernelArgs& args) { pool<Average, float>(args); }

}  // namespace tenure::cpu
