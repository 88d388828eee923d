// Ops that read or write single elements at indices.

#include "import/onnx/rare_rows/elements.h"

#include <algorithm>
#include <functional>

#include "core/checked_integers.h"
#include "import/onnx/families.h"
#include "import/onnx/rows/indexing.h"
#include "import/onnx/rows/integers.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

Tensor count_up(std::int32_t count) {
  return range({.step = 0, .int_step = 1, .count = count, .dtype = DType::kInt32});
}

/// Returns the positions in a row-major tensor of `shape` of elements at the indices along an axis.
Tensor element_positions(const Tensor& given, const Shape& shape, int axis) {
  check_shape(given.rank() == shape.rank, "indices of shape ", given.shape(), " have another rank than ",
              shape);
  const Dims strides = shape.strides();
  Tensor positions = from_start(given, shape[axis], axis);
  if (strides[axis] != 1) positions = mul(positions, Tensor::scalar(strides[axis]));
  for (int i = 0; i < shape.rank; ++i) {
    check_shape(i == axis || given.dim(i) <= shape[i], "indices of shape ", given.shape(), " do not fit ",
                shape);
    if (i == axis || given.dim(i) == 1) continue;
    Shape along{given.dim(i)};
    while (i + along.rank < shape.rank) along.push_back(1);
    positions = add(positions, reshape(mul(count_up(given.dim(i)), Tensor::scalar(strides[i])), {along}));
  }
  return positions;
}

std::int64_t multiply(std::int64_t a, std::int64_t b) { return multiply_clamped(a, b); }
float multiply(float a, float b) { return a * b; }
/// Integers of 32 bits and less wrap around.
std::int32_t multiply(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}

template <class T, class Combine>
void combine_all(std::span<T> to, std::span<const std::int32_t> positions, std::span<const T> updates,
                 Combine combine) {
  const std::size_t size = positions.empty() ? 0 : updates.size() / positions.size();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::size_t start = static_cast<std::size_t>(positions[i]) * size;
    check_shape(positions[i] >= 0 && start + size <= to.size(), "an index is out of range");
    for (std::size_t k = 0; k < size; ++k) to[start + k] = combine(to[start + k], updates[i * size + k]);
  }
}

/// Combines x with the updates as numbers of type T, which may hold more than those of the result.
template <class T, class Element>
Tensor combine_as(std::string_view reduction, const Tensor& x, std::span<const std::int32_t> positions,
                  const Tensor& updates) {
  const auto given = x.values<Element>();
  const auto added = updates.values<Element>();
  std::vector<T> results(given.begin(), given.end());
  const std::vector<T> own(added.begin(), added.end());
  const auto combine_by = [&](auto combine) {
    combine_all(std::span(results), positions, std::span<const T>(own), combine);
  };
  if (reduction == "add") combine_by(std::plus<T>());
  if (reduction == "mul") combine_by([](T a, T b) { return multiply(a, b); });
  if (reduction == "max") combine_by([](T a, T b) { return std::max(a, b); });
  if (reduction == "min") combine_by([](T a, T b) { return std::min(a, b); });
  Tensor y(x.spec());
  auto* to = y.mutable_data<Element>();
  for (const T result : results) {
    *to = static_cast<Element>(result);
    check(sizeof(T) == sizeof(Element) || static_cast<T>(*to) == result, kCannotHold, "a ",
          reduction == "add" ? "sum" : "product", " of ", positions.size(), " updates");
    ++to;
  }
  return y;
}

/// The largest number of updates of which add_halves() is exact.
constexpr std::size_t kMaxHalves = (1 << 15) - 2;

/// Adds updates of integers of 64 bits to rows. Their lower and upper halves are added apart, since sums may
/// leave int32 on the way.
Tensor add_halves(const Tensor& x, const Tensor& indices, const Tensor& updates) {
  const Tensor unit = Tensor::scalar(1 << 16);
  const auto add_parts = [&](Op part) {
    return add(run(part, {&x, &unit}), scatter_nd(indices, run(part, {&updates, &unit}), {x.shape()}));
  };
  const Tensor low = add_parts(Op::mod);
  const Tensor high = add(add_parts(Op::floor_div), floor_div(low, unit));
  return add(checked_arithmetic(high, unit, {.op = IntegerArithmetic::kMultiply}), mod(low, unit));
}

/// Writes updates [n, size] to the rows of x, [rows, size], at `positions`, [n].
Tensor scatter_rows(const Call& call, const Tensor& x, const Tensor& positions, const Tensor& updates) {
  const std::string_view reduction = call.attrs().string("reduction", "none");
  const Tensor indices = reshape(positions, {Shape{-1, 1}});
  if (reduction == "none") return tensor_scatter_update(x, indices, updates);
  const ElementType type = element_type(call, 0);
  const bool is_checked = x.dtype() == DType::kInt32 && has_64_bits(type);
  const bool are_known = x.has_data() && positions.has_data() && updates.has_data();
  if (reduction == "add") {
    if (!is_checked)
      return wrap(as_dtype(add(x, scatter_nd(indices, updates, {x.shape()})), x.dtype()), type);
    if (!are_known && positions.elements() <= kMaxHalves) return add_halves(x, indices, updates);
  } else {
    check(reduction == "mul" || reduction == "max" || reduction == "min", "attribute \"reduction\" is \"",
          reduction, "\"");
  }
  if (!are_known) throw NeedsValues();
  check(x.dtype() == updates.dtype() && (x.dtype() == DType::kFloat32 || x.dtype() == DType::kInt32),
        "the reduction \"", reduction, "\" takes float32 or int32, got ", get_name(x.dtype()), " and ",
        get_name(updates.dtype()));
  const std::span<const std::int32_t> at = positions.values<std::int32_t>();
  if (x.dtype() == DType::kFloat32) return combine_as<float, float>(reduction, x, at, updates);
  if (is_checked && (reduction == "add" || reduction == "mul"))
    return combine_as<std::int64_t, std::int32_t>(reduction, x, at, updates);
  return wrap(combine_as<std::int32_t, std::int32_t>(reduction, x, at, updates), type);
}

Tensor gathered_elements(const Call& call) {
  return gather_elements(call[0], call[1], call.attrs().integer("axis", 0));
}

Tensor scattered_elements(const Call& call) {
  const Tensor& x = call[0];
  if (call[1].elements() == 0) return x;
  check_shape(call[1].shape() == call[2].shape(), "indices of shape ", call[1].shape(),
              " do not fit updates of ", call[2].shape());
  const int axis = normalize_axis(call.attrs().integer("axis", 0), x.rank());
  const Tensor positions = reshape(element_positions(call[1], x.shape(), axis), {Shape{-1}});
  const Tensor updates = reshape(call[2], {Shape{-1, 1}});
  return reshape(scatter_rows(call, reshape(x, {Shape{-1, 1}}), positions, updates), {x.shape()});
}

/// Returns the positions of slices that the last axis of `given` addresses in the first axes of `shape`.
Tensor slice_positions(const Tensor& given, const Shape& shape) {
  const Tensor indices = as_indices(given);
  check_shape(indices.rank() > 0 && indices.shape().back() <= shape.rank, "indices of shape ",
              indices.shape(), " do not fit ", shape);
  std::vector<std::int32_t> extents;
  std::vector<std::int32_t> strides;
  const int depth = indices.shape().back();
  for (int i = 0; i < depth; ++i) {
    extents.push_back(shape[i]);
    strides.push_back(static_cast<std::int32_t>(shape.elements(i + 1, depth)));
  }
  const auto row = [&](const std::vector<std::int32_t>& values) {
    return Tensor::from(std::span<const std::int32_t>(values), {depth});
  };
  const Tensor from_start =
      checked_arithmetic(indices, row(extents), {.op = IntegerArithmetic::kIndex, .axis = 0});
  return sum(mul(from_start, row(strides)), {.axes = {indices.rank() - 1}});
}

Tensor scattered_slices(const Call& call) {
  const Tensor& x = call[0];
  if (call[1].elements() == 0) return x;
  const Tensor positions = slice_positions(call[1], x.shape());
  const std::int32_t depth = call[1].shape().back();
  const auto rows = static_cast<std::int32_t>(x.shape().elements(0, depth));
  const auto size = static_cast<std::int32_t>(x.shape().elements(depth, x.rank()));
  const auto count = static_cast<std::int32_t>(positions.elements());
  check_shape(call[2].elements() == static_cast<std::size_t>(count) * static_cast<std::size_t>(size),
              "updates of shape ", call[2].shape(), " do not fit indices of ", call[1].shape(), " in ",
              x.shape());
  const Tensor updates = reshape(call[2], {Shape{count, size}});
  return reshape(
      scatter_rows(call, reshape(x, {Shape{rows, size}}), reshape(positions, {Shape{count}}), updates),
      {x.shape()});
}

/// Writes rows of a cache, [batch, ..., length, ...], at positions that begin elsewhere in each batch.
Tensor updated_cache(const Call& call) {
  const Tensor& cache = call[0];
  const Tensor& update = call[1];
  const int axis = normalize_axis(call.attrs().integer("axis", -2), cache.rank());
  const std::string_view mode = call.attrs().string("mode", "linear");
  check(mode == "linear" || mode == "circular", "attribute \"mode\" is \"", mode, "\"");
  check_shape(axis > 0 && update.rank() == cache.rank() && update.dim(axis) <= cache.dim(axis),
              "an update of ", update.shape(), " does not fit a cache of ", cache.shape());
  const std::int32_t batch = cache.dim(0);
  const Tensor starts = has(call, 2) ? reshape(as_indices(call[2]), {Shape{batch, 1}})
                                     : fill({.shape = {batch, 1}, .dtype = DType::kInt32});
  // For each row of the cache, the number of the row of the update that takes its place, if there is one.
  Tensor from = sub(reshape(count_up(cache.dim(axis)), {Shape{1, cache.dim(axis)}}), starts);
  if (mode == "circular") from = mod(from, Tensor::scalar(cache.dim(axis)));
  const Tensor last = Tensor::scalar(update.dim(axis) - 1);
  const Tensor is_new = logical_and(greater_equal(from, Tensor::scalar(0)), less_equal(from, last));
  const Tensor rows =
      gather(update, minimum(maximum(from, Tensor::scalar(0)), last), {.axis = axis, .batch_dims = 1});
  Shape along{batch};
  for (int i = 1; i < cache.rank(); ++i) along.push_back(i == axis ? cache.dim(axis) : 1);
  return where(reshape(is_new, {along}), rows, cache);
}

/// Returns the positions of elements that are not 0, as one row for each axis. A scalar has one axis.
Tensor nonzero(const Call& call) {
  const Tensor& given = call.value(0);
  Tensor condition = as_dtype(given, DType::kBool);
  if (condition.rank() == 0) condition = reshape(condition, {Shape{1}});
  const std::span<const std::uint8_t> values = condition.values<std::uint8_t>();
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) found.push_back(static_cast<std::int32_t>(i));
  }
  const Dims strides = condition.shape().strides();
  Tensor result({{condition.rank(), static_cast<std::int32_t>(found.size())}, DType::kInt32});
  auto* to = result.mutable_data<std::int32_t>();
  for (int i = 0; i < condition.rank(); ++i) {
    for (const std::int32_t at : found) *to++ = at / strides[i] % condition.dim(i);
  }
  return result;
}

/// Selects slices along an axis, or elements of the flat input, where the condition holds.
Tensor compressed(const Call& call) {
  const std::vector<std::int32_t> condition = call.integers(1);
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < condition.size(); ++i) {
    if (condition[i] != 0) found.push_back(static_cast<std::int32_t>(i));
  }
  const Tensor indices =
      Tensor::from(std::span<const std::int32_t>(found), {static_cast<std::int32_t>(found.size())});
  if (!call.attrs().has("axis")) return gather(reshape(call[0], {Shape{-1}}), indices, {.axis = 0});
  return gather(call[0], indices, {.axis = normalize_axis(call.attrs().integer("axis", 0), call[0].rank())});
}

/// Reverses the first elements along the time axis of each batch, as many as the sequence is long.
Tensor reversed_sequences(const Call& call) {
  const Tensor& x = call[0];
  const int batch = normalize_axis(call.attrs().integer("batch_axis", 1), x.rank());
  const int time = normalize_axis(call.attrs().integer("time_axis", 0), x.rank());
  check(batch != time && batch < 2 && time < 2, "it has the time axis ", time, " and the batch axis ", batch);
  const Tensor steps = reshape(count_up(x.dim(time)), {Shape{1, x.dim(time)}});
  const Tensor lengths = reshape(as_indices(call[1]), {Shape{x.dim(batch), 1}});
  const Tensor mirrored = sub(sub(lengths, Tensor::scalar(1)), steps);
  const Tensor positions = where(less(mirrored, Tensor::scalar(0)), steps, mirrored);
  PermutationAttrs swapped{Dims{1, 0}};
  for (int i = 2; i < x.rank(); ++i) swapped.perm.push_back(i);
  const GatherAttrs along{.axis = 1, .batch_dims = 1};
  if (batch == 0) return gather(x, positions, along);
  return transpose(gather(transpose(x, swapped), positions, along), swapped);
}

/// Returns `values[1]` at each index, `values[0]` elsewhere. Negative indices count from the end.
Tensor make_one_hot(const Call& call) {
  const std::int32_t depth = call.integer(1);
  check_shape(depth >= 0, "its depth is ", depth);
  const Tensor given = as_indices(call[0]);
  const int axis = normalize_axis(call.attrs().integer("axis", -1), given.rank() + 1);
  // A row of classes would take memory that the result does not need.
  if (given.elements() == 0) {
    Shape shape = given.shape();
    shape.insert(axis, depth);
    return fill({.shape = shape, .dtype = call[2].dtype()});
  }
  const Tensor indices = where(less(given, Tensor::scalar(0)), add(given, Tensor::scalar(depth)), given);
  const Tensor& values = call[2];
  const Tensor off = slice(values, {Dims{0}, Dims{1}});
  const Tensor on = slice(values, {Dims{1}, Dims{1}});
  Tensor hot = where(equal(expand_dims(indices, {indices.rank()}), count_up(depth)), on, off);
  if (axis == hot.rank() - 1) return hot;
  PermutationAttrs order;
  for (int i = 0; i + 1 < hot.rank(); ++i) order.perm.push_back(i);
  order.perm.insert(axis, hot.rank() - 1);
  return transpose(hot, order);
}

constexpr Row kRows[] = {
    {"Compress", compressed},
    {"GatherElements", gathered_elements},
    {"NonZero", nonzero},
    {"OneHot", make_one_hot},
    {"ReverseSequence", reversed_sequences},
    {"Scatter", scattered_elements},
    {"ScatterElements", scattered_elements},
    {"ScatterND", scattered_slices},
    {"TensorScatter", updated_cache},
};

}  // namespace

std::span<const Row> element_rows() { return kRows; }

Tensor gather_elements(const Tensor& x, const Tensor& indices, int axis) {
  const int at = normalize_axis(axis, x.rank());
  return gather(reshape(x, {Shape{-1}}), element_positions(indices, x.shape(), at), {.axis = 0});
}

}  // namespace tenure::onnx
