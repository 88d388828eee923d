#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "core/error.h"
#include "cpu/kernels.h"
#include "cpu/simd/convert.h"

namespace tenure::cpu {
namespace {

double number_at(const Tensor& x, std::size_t i) {
  switch (x.dtype()) {
    case DType::kFloat32: return x.data<float>()[i];
    case DType::kInt32: return x.data<std::int32_t>()[i];
    default: return x.data<std::uint8_t>()[i];
  }
}

/// Returns a key that orders numbers from the greatest to the least, NaN first.
std::uint32_t descending_bits(float x) {
  if (x != x) return 0;
  const float without_sign_of_zero = x + 0.0F;
  std::uint32_t bits;
  std::memcpy(&bits, &without_sign_of_zero, sizeof bits);
  constexpr std::uint32_t kSign = 1U << 31;
  return bits & kSign ? bits : ~bits & ~kSign;
}
std::uint32_t descending_bits(std::int32_t x) {
  return static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max()) - static_cast<std::uint32_t>(x);
}
std::uint32_t descending_bits(std::uint8_t x) { return ~std::uint32_t{x}; }

/// Returns a sort key of a number and its index: keys compare as integers, and the first of equal numbers
/// comes first.
template <class T>
std::uint64_t sort_key(T x, std::size_t index) {
  return std::uint64_t{descending_bits(x)} << 32 | index;
}

/// Writes the indices of the `k` greatest values of each row. If `k` is small against the width, they are
/// kept in a heap during one pass.
template <class T>
void topk_rows(const T* row, std::size_t rows, std::size_t width, std::size_t k, std::int32_t* out) {
  const std::size_t kept = k < width / 8 ? k : width;
  std::vector<std::uint64_t> keys(kept);
  for (; rows > 0; --rows, row += width, out += k) {
    for (std::size_t i = 0; i < kept; ++i) keys[i] = sort_key(row[i], i);
    const auto middle = keys.begin() + static_cast<std::ptrdiff_t>(k);
    if (kept < width) std::make_heap(keys.begin(), middle);
    for (std::size_t i = kept; i < width && k > 0; ++i) {
      const std::uint64_t key = sort_key(row[i], i);
      if (key > keys[0]) continue;
      std::pop_heap(keys.begin(), middle);
      keys[k - 1] = key;
      std::push_heap(keys.begin(), middle);
    }
    std::partial_sort(keys.begin(), middle, keys.end());
    for (std::size_t i = 0; i < k; ++i) out[i] = static_cast<std::int32_t>(keys[i]);
  }
}

/// Writes the index at which value_at(i) would be inserted into its row of sorted_at(0), sorted_at(1), ...
template <class SortedAt, class ValueAt>
void search_rows(const KernelArgs& args, SortedAt sorted_at, ValueAt value_at) {
  const bool right = args.attrs.as<SearchSortedAttrs>().right != 0;
  const auto extent = static_cast<std::size_t>(args.in[0].shape().back());
  const auto width = static_cast<std::size_t>(args.out.shape().back());
  auto* places = args.out.mutable_data<std::int32_t>();
  for (std::size_t i = 0; i < args.out.elements(); ++i) {
    const auto value = value_at(i);
    const std::size_t row = i / width * extent;
    std::size_t low = 0;
    std::size_t high = extent;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const auto there = sorted_at(row + middle);
      if (right ? there <= value : there < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    places[i] = static_cast<std::int32_t>(high);
  }
}

/// Adds to `totals` how often each number below `size` occurs in `values`.
void count(const std::int32_t* values, std::size_t n, std::size_t size, double* totals) {
  for (std::size_t i = 0; i < n; ++i) {
    const auto value = static_cast<std::size_t>(values[i]);
    if (value < size) ++totals[value];
  }
}

}  // namespace

void topk_indices(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const auto width = static_cast<std::size_t>(x.shape().back());
  const std::size_t rows = width == 0 ? 0 : x.elements() / width;
  const auto k = static_cast<std::size_t>(args.out.shape().back());
  auto* out = args.out.mutable_data<std::int32_t>();
  switch (x.dtype()) {
    case DType::kFloat32: return topk_rows(x.data<float>(), rows, width, k, out);
    case DType::kInt32: return topk_rows(x.data<std::int32_t>(), rows, width, k, out);
    default: return topk_rows(x.data<std::uint8_t>(), rows, width, k, out);
  }
}

void search_sorted(const KernelArgs& args) {
  const Tensor& sorted = args.in[0];
  const Tensor& values = args.in[1];
  if (sorted.dtype() == DType::kFloat32 && values.dtype() == DType::kFloat32) {
    const auto at = [](const float* numbers) { return [numbers](std::size_t i) { return numbers[i]; }; };
    return search_rows(args, at(sorted.data<float>()), at(values.data<float>()));
  }
  const auto at = [](const Tensor& x) { return [&x](std::size_t i) { return number_at(x, i); }; };
  search_rows(args, at(sorted), at(values));
}

void bincount(const KernelArgs& args) {
  const bool binary = args.attrs.as<BincountAttrs>().binary != 0;
  const Tensor& x = args.in[0];
  const Tensor& weights = args.in[1];
  const auto size = static_cast<std::size_t>(args.out.shape().back());
  const auto width = static_cast<std::size_t>(x.shape().back());
  const auto* values = x.data<std::int32_t>();
  const bool has_weights = weights.elements() > 0;
  std::vector<double> totals(args.out.elements());
  check(std::all_of(values, values + x.elements(), [](std::int32_t value) { return value >= 0; }),
        "Input x must be non-negative!");
  for (std::size_t start = 0, row = 0; start < x.elements(); start += width, row += size) {
    if (!binary && !has_weights) {
      count(values + start, width, size, totals.data() + row);
      continue;
    }
    for (std::size_t i = start; i < start + width; ++i) {
      const auto value = static_cast<std::size_t>(values[i]);
      if (value >= size) continue;
      double& total = totals[row + value];
      total = binary ? 1 : total + (has_weights ? number_at(weights, i) : 1);
    }
  }
  if (args.out.dtype() == DType::kFloat32) {
    std::copy(totals.begin(), totals.end(), args.out.mutable_data<float>());
    return;
  }
  auto* out = static_cast<std::uint8_t*>(args.out.storage()->mutable_data());
  for (std::size_t i = 0; i < totals.size(); ++i) store_as(args.out.dtype(), totals[i], out + 4 * i);
}

}  // namespace tenure::cpu
