// STABLEHLO_SCATTER: slices that are written at indices along several axes, or combined with what is there.

#include <algorithm>
#include <array>

#include "import/tflite/families.h"
#include "import/tflite/rare/slices.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kScatterOptions[] = {{"update_window_dims", 1, Option::kLongs},
                                      {"inserted_window_dims", 2, Option::kLongs},
                                      {"scatter_dims_to_operand_dims", 3, Option::kLongs},
                                      {"index_vector_dim", 4, Option::kInt}};

/// Numbers of functions of REDUCE_WINDOW. 0 replaces a value.
enum Function : std::int32_t { kReplace = 0, kAdd = 1, kMultiply = 2, kMinimum = 3, kMaximum = 4 };

/// Values of the elements' type, beyond which integers wrap around.
struct Range {
  std::int64_t lowest = INT32_MIN;
  std::int64_t highest = INT32_MAX;
};

std::int32_t wrap(std::int64_t value, const Range& range) {
  const std::int64_t count = range.highest - range.lowest + 1;
  const std::int64_t rest = (value - range.lowest) % count;
  return static_cast<std::int32_t>(range.lowest + (rest < 0 ? rest + count : rest));
}
float wrap(float value, const Range& /*range*/) { return value; }

template <class T, class Wide>
T combine(std::int32_t function, T a, T b, const Range& range) {
  switch (function) {
    case kAdd: return wrap(static_cast<Wide>(a) + static_cast<Wide>(b), range);
    case kMultiply: return wrap(static_cast<Wide>(a) * static_cast<Wide>(b), range);
    case kMinimum: return std::min(a, b);
    case kMaximum: return std::max(a, b);
    default: return b;
  }
}

/// The element of the operand that each element of the updates is combined with.
class Targets {
 public:
  explicit Targets(const Call& call);

  /// Returns the position of the next element's target, -1 if it is outside of the operand.
  std::int64_t next();

 private:
  Tensor starts_;
  std::span<const std::int32_t> values_;
  std::int32_t width_;
  Shape operand_;
  Shape updates_;
  Dims strides_;
  std::vector<std::int32_t> axes_;  ///< the operand's axes of coordinates
  /// For each axis of the updates: the operand's axis of a window, -1 for an axis of indices.
  std::array<std::int32_t, kMaxRank> window_axes_{};
  /// For each axis of indices of the updates, the distance of its indices.
  std::array<std::int64_t, kMaxRank> index_strides_{};
  std::array<std::int32_t, kMaxRank> at_{};
};

Targets::Targets(const Call& call) : starts_(read_starts(call)) {
  const std::vector<std::int32_t> windows = call.attrs().integers("update_window_dims");
  const std::vector<std::int32_t> inserted = call.attrs().integers("inserted_window_dims");
  axes_ = call.attrs().integers("scatter_dims_to_operand_dims");
  operand_ = call[0].shape();
  updates_ = call[2].shape();
  strides_ = operand_.strides();
  values_ = starts_.values<std::int32_t>();
  width_ = starts_.shape().back();
  Dims kept;
  for (int axis = 0; axis < operand_.rank; ++axis) {
    if (!contains(inserted, axis)) kept.push_back(axis);
  }
  const std::size_t dropped = inserted.size();
  check_shape(static_cast<std::size_t>(kept.rank) == windows.size() &&
                  static_cast<std::size_t>(operand_.rank) == windows.size() + dropped,
              windows.size(), " of update_window_dims and ", dropped, " of inserted_window_dims do not fit ",
              operand_);
  check_shape(axes_.size() == static_cast<std::size_t>(width_), "coordinates of ", width_,
              " axes do not fit ", axes_.size(), " numbers of scatter_dims_to_operand_dims");
  Dims known;
  for (const std::int32_t axis : axes_) {
    check_shape(axis >= 0 && axis < operand_.rank && !known.contains(axis),
                "its scatter_dims_to_operand_dims have axis ", axis, " for ", operand_);
    known.push_back(axis);
  }
  const Dims index_strides = starts_.shape().strides();
  int window = 0;
  int index_axis = 0;
  for (int axis = 0; axis < updates_.rank; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const auto found = std::find(windows.begin(), windows.end(), axis) - windows.begin();
    window_axes_[i] = found < kept.rank ? kept[static_cast<int>(found)] : -1;
    if (window_axes_[i] >= 0) {
      ++window;
      continue;
    }
    check_shape(index_axis + 1 < starts_.rank() && updates_[axis] == starts_.dim(index_axis), "updates of ",
                updates_, " do not fit indices of ", call[1].shape());
    index_strides_[i] = index_strides[index_axis++];
  }
  check_shape(window == kept.rank && index_axis + 1 == starts_.rank(), "updates of ", updates_,
              " do not fit indices of ", call[1].shape(), " and ", windows.size(), " of update_window_dims");
}

std::int64_t Targets::next() {
  std::array<std::int64_t, kMaxRank> position{};
  std::int64_t first = 0;
  for (int axis = 0; axis < updates_.rank; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    if (window_axes_[i] >= 0)
      position[static_cast<std::size_t>(window_axes_[i])] = at_[i];
    else
      first += at_[i] * index_strides_[i];
  }
  for (std::size_t k = 0; k < axes_.size(); ++k)
    position[static_cast<std::size_t>(axes_[k])] += values_[static_cast<std::size_t>(first) + k];
  for (int axis = updates_.rank - 1; axis >= 0; --axis) {
    const auto i = static_cast<std::size_t>(axis);
    if (++at_[i] < updates_[axis]) break;
    at_[i] = 0;
  }
  std::int64_t target = 0;
  for (int axis = 0; axis < operand_.rank; ++axis) {
    const std::int64_t index = position[static_cast<std::size_t>(axis)];
    if (index < 0 || index >= operand_[axis]) return -1;
    target += index * strides_[axis];
  }
  return target;
}

template <class T, class Wide>
Tensor scatter_as(const Call& call, const Range& range) {
  constexpr DType kType = std::is_same_v<T, float> ? DType::kFloat32 : DType::kInt32;
  const Tensor x = as_dtype(call.value(0), kType);
  const Tensor updates = as_dtype(call.value(2), kType);
  Targets targets(call);
  const std::int32_t function = call.attrs().integer("function", kReplace);
  const std::span<const T> from = x.values<T>();
  const std::span<const T> values = updates.values<T>();
  Tensor result({x.shape(), kType});
  T* to = result.mutable_data<T>();
  std::copy(from.begin(), from.end(), to);
  for (const T value : values) {
    const std::int64_t target = targets.next();
    if (target >= 0) to[target] = combine<T, Wide>(function, to[target], value, range);
  }
  return result;
}

/// Combines elements of input 2 with those of input 0 in slices at the indices of input 1. Elements outside
/// of input 0 are left out.
Tensor scatter_slices(const Call& call) {
  call.value(1);
  const DType dtype = call.value(0).dtype();
  check(dtype != DType::kString && dtype != DType::kComplex64, "values of the type ", get_name(dtype),
        " are not supported");
  if (dtype == DType::kFloat32) return scatter_as<float, float>(call, {});
  Range range;
  const auto [lowest, highest] = get_range(static_cast<ElementType>(call.attrs().integer("output type", 0)));
  if (lowest < highest) range = {lowest, highest};
  return as_dtype(scatter_as<std::int32_t, std::int64_t>(call, range), dtype);
}

constexpr OpRow kRows[] = {
    {kStablehloScatter, {"STABLEHLO_SCATTER", scatter_slices}, kScatterOptions, Quantized::kStored},
};

}  // namespace

std::span<const OpRow> slice_scatter_rows() { return kRows; }

}  // namespace tenure::tflite
