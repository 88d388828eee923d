#include <algorithm>
#include <numeric>

#include "core/heap_sort.h"
#include "core/strings.h"
#include "import/onnx/families.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::onnx {
namespace {

template <class T>
std::vector<std::int32_t> sort_rows(std::span<const T> values, std::size_t rows, std::size_t size) {
  std::vector<std::int32_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  const auto row = [&](std::int32_t i) { return values.subspan(static_cast<std::size_t>(i) * size, size); };
  heap_sort(order, [&](std::int32_t a, std::int32_t b) {
    const std::span<const T> left = row(a);
    const std::span<const T> right = row(b);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  });
  return order;
}

/// Returns the order that sorts the slices along an axis.
std::vector<std::int32_t> sort_slices(const Tensor& x, int axis) {
  PermutationAttrs order{Dims{axis}};
  for (int i = 0; i < x.rank(); ++i) {
    if (i != axis) order.perm.push_back(i);
  }
  const Tensor moved = axis == 0 ? x : transpose(x, order);
  const auto rows = static_cast<std::size_t>(x.dim(axis));
  const std::size_t size = rows == 0 ? 0 : x.elements() / rows;
  switch (moved.dtype()) {
    case DType::kInt32: return sort_rows(moved.values<std::int32_t>(), rows, size);
    case DType::kFloat32: return sort_rows(moved.values<float>(), rows, size);
    case DType::kBool: return sort_rows(moved.values<std::uint8_t>(), rows, size);
    default: break;
  }
  check(moved.dtype() == DType::kString, "cannot sort ", get_name(moved.dtype()));
  const Strings strings(moved);
  std::vector<std::string_view> values;
  values.reserve(strings.size());
  for (std::size_t i = 0; i < strings.size(); ++i) values.push_back(strings[i]);
  return sort_rows(std::span<const std::string_view>(values), rows, size);
}

/// Returns the distinct slices, where each occurs first, the number of its distinct one for each slice, and
/// how often each occurs.
EdgeValues distinct(const Call& call) {
  const bool has_axis = call.attrs().has("axis");
  const Tensor x = has_axis ? call.value(0) : reshape(call.value(0), {Shape{-1}});
  const int axis = normalize_axis(call.attrs().integer("axis", 0), x.rank());
  const Tensors found = unique(x, {axis});
  const auto count = static_cast<std::size_t>(found[0].dim(axis));
  std::vector<std::int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  if (call.attrs().flag("sorted", true)) order = sort_slices(found[0], axis);
  std::vector<std::int32_t> position(count);
  for (std::size_t i = 0; i < count; ++i)
    position[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  std::vector<std::int32_t> first(count, -1);
  std::vector<std::int32_t> inverse;
  std::vector<std::int32_t> counts(count, 0);
  for (const std::int32_t number : found[1].values<std::int32_t>()) {
    const std::int32_t at = position[static_cast<std::size_t>(number)];
    const auto slot = static_cast<std::size_t>(at);
    if (first[slot] < 0) first[slot] = static_cast<std::int32_t>(inverse.size());
    ++counts[slot];
    inverse.push_back(at);
  }
  return {gather(found[0], tensor1d(order), {.axis = axis}), tensor1d(first), tensor1d(inverse),
          tensor1d(counts)};
}

/// Returns the distinct elements in the order of their first occurrence, the number of its distinct one for
/// each element, and how often each occurs.
EdgeValues distinct_elements(const Call& call) {
  const Tensors found = unique(reshape(call.value(0), {Shape{-1}}), {0});
  std::vector<std::int32_t> counts(found[0].elements(), 0);
  for (const std::int32_t number : found[1].values<std::int32_t>())
    ++counts[static_cast<std::size_t>(number)];
  return {found[0], found[1], tensor1d(counts)};
}

constexpr Row kRows[] = {{"Unique", distinct}};
constexpr Row kContribRows[] = {{"Unique", distinct_elements}};

}  // namespace

std::span<const Row> unique_rows() { return kRows; }
std::span<const Row> contrib_unique_rows() { return kContribRows; }

}  // namespace tenure::onnx
