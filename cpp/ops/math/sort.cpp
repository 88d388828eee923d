// Ops that compare elements: topk, searchSorted, bincount, confusionMatrix and unique.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "core/error.h"
#include "core/heap_sort.h"
#include "core/strings.h"
#include "ops/infer.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::infer {

TensorSpec topk_indices(Inputs in, const TopKAttrs& attrs) {
  Shape shape = in[0].shape();
  check_shape(shape.rank >= 1, "topk() expects the input to be of rank 1 or higher");
  check(attrs.k >= 0, "'k' passed to topk() must be >= 0 but got ", attrs.k);
  check(attrs.k <= shape.back(), "'k' passed to topk() must be <= the last dimension (", shape.back(),
        ") but got ", attrs.k);
  shape.back() = attrs.k;
  return {shape, DType::kInt32};
}

TensorSpec search_sorted(Inputs in, const SearchSortedAttrs&) {
  const Shape& sorted = in[0].shape();
  const Shape& values = in[1].shape();
  check_shape(sorted.rank >= 1 && values.rank >= 1,
              "Sorted input argument must be at least 1-dimensional, got ", sorted, " and values ", values);
  check_shape(sorted.elements(0, sorted.rank - 1) == values.elements(0, values.rank - 1),
              "Leading dimension of 'sortedSequence' and 'values' must match.");
  return {values, DType::kInt32};
}

TensorSpec bincount(Inputs in, const BincountAttrs& attrs) {
  const Shape& x = in[0].shape();
  const Tensor& weights = in[1];
  check_shape(x.rank >= 1 && x.rank <= 2,
              "Error in denseBincount: input must be at most rank 2, but got rank ", x.rank, ".");
  check(attrs.size >= 0, "size must be non-negative, but got ", attrs.size, ".");
  check_shape(weights.elements() == 0 || weights.shape() == x,
              "weights must have the same shape as x or 0-length, but got x shape: ", x,
              ", weights shape: ", weights.shape(), ".");
  const DType dtype = weights.dtype() == DType::kBool ? DType::kInt32 : weights.dtype();
  return {x.rank == 2 ? Shape{x[0], attrs.size} : Shape{attrs.size}, dtype};
}

}  // namespace tenure::infer

namespace tenure::composed {

Tensors topk(const Tensor& x, const TopKAttrs& attrs) {
  const Tensor indices = topk_indices(x, attrs);
  return {gather(x, indices, {.axis = x.rank() - 1, .batch_dims = x.rank() - 1}), indices};
}

Tensor confusion_matrix(const Tensor& labels, const Tensor& predictions, const ClassesAttrs& attrs) {
  check_shape(labels.rank() == 1, "Expected the rank of labels to be 1, but got ", labels.rank());
  check_shape(predictions.rank() == 1, "Expected the rank of predictions to be 1, but got ",
              predictions.rank());
  check_shape(labels.dim(0) == predictions.dim(0), "Mismatch in the number of examples: ", labels.dim(0),
              " vs. ", predictions.dim(0),
              ". Labels and predictions should have the same number of elements.");
  const auto to_one_hot = [&](const Tensor& x) {
    return one_hot(cast(x, {DType::kInt32}), {.depth = attrs.classes, .dtype = DType::kInt32});
  };
  return mat_mul(to_one_hot(labels), to_one_hot(predictions), {.transpose_a = true});
}

}  // namespace tenure::composed

namespace tenure::host {
namespace {

/// Returns int32 ids, which are equal where the strings are equal.
Tensor unique_ids(const Tensor& strings) {
  const Strings values(strings);
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  heap_sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  Tensor numbers({strings.shape(), DType::kInt32});
  auto* number = numbers.mutable_data<std::int32_t>();
  std::int32_t last = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && values[order[i]] != values[order[i - 1]]) ++last;
    number[order[i]] = last;
  }
  return numbers;
}

/// Returns a tensor's bytes, made the same for equal numbers: 0 for -0, and one NaN for all.
std::vector<std::byte> comparable_bytes(const Tensor& x) {
  const auto* data = static_cast<const std::byte*>(x.storage()->data());
  std::vector<std::byte> bytes(data, data + x.elements() * element_size(x.dtype()));
  if (x.dtype() != DType::kFloat32 && x.dtype() != DType::kComplex64) return bytes;
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, &bytes[i], sizeof value);
    value = std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value + 0.0F;
    std::memcpy(&bytes[i], &value, sizeof value);
  }
  return bytes;
}

}  // namespace

/// Returns the distinct slices along an axis, in the order of their first occurrence, and for each slice the
/// index of its distinct one.
Tensors unique(Inputs in, const AxisAttrs& attrs) {
  const Tensor& x = in[0];
  check_shape(x.rank() >= 1, "unique() expects the input to be of rank 1 or higher");
  const int axis = normalize_axis(attrs.axis, x.rank());
  const auto extent = static_cast<std::size_t>(x.dim(axis));
  const std::size_t outer = x.shape().elements(0, axis);
  const Tensor cells = x.dtype() == DType::kString ? unique_ids(x) : x;
  const std::size_t run = x.shape().elements(axis + 1, x.rank()) * element_size(cells.dtype());
  const std::vector<std::byte> bytes = comparable_bytes(cells);
  const auto visit_rows = [&](std::size_t i, const auto& visit) {
    for (std::size_t o = 0; o < outer; ++o) visit(bytes.data() + (o * extent + i) * run);
  };
  const auto hash = [&](std::size_t i) {
    // FNV-1a (Fowler, Noll, Vo), with the high bits mixed into the low ones, which index the table.
    std::uint64_t h = 0xCBF29CE484222325;
    visit_rows(i, [&](const std::byte* row) {
      for (std::size_t k = 0; k < run; ++k) h = (h ^ std::to_integer<std::uint64_t>(row[k])) * 0x100000001B3;
    });
    return static_cast<std::size_t>(h ^ h >> 32);
  };
  const auto is_same = [&](std::size_t a, std::size_t b) {
    bool same = true;
    visit_rows(a,
               [&](const std::byte* row) { same = same && std::memcmp(row, row + (b - a) * run, run) == 0; });
    return same;
  };
  Tensor indices({{x.dim(axis)}, DType::kInt32});
  // Open addressing with at least twice as many buckets as slices; 0 marks a free bucket.
  const std::size_t last = std::bit_ceil(2 * extent + 1) - 1;
  std::vector<std::uint32_t> table(last + 1);
  std::vector<std::int32_t> kept;
  auto* places = indices.mutable_data<std::int32_t>();
  for (std::size_t i = 0; i < extent; ++i) {
    std::size_t at = hash(i) & last;
    while (table[at] != 0 && !is_same(static_cast<std::size_t>(kept[table[at] - 1]), i)) at = (at + 1) & last;
    if (table[at] == 0) {
      kept.push_back(static_cast<std::int32_t>(i));
      table[at] = static_cast<std::uint32_t>(kept.size());
    }
    places[i] = static_cast<std::int32_t>(table[at] - 1);
  }
  return {gather(x, tensor1d(kept), {.axis = axis}), indices};
}

}  // namespace tenure::host
