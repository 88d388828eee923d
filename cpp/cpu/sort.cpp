#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "core/error.h"
#include "cpu/convert.h"
#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

double number_at(const Tensor& x, std::size_t i) {
  switch (x.dtype()) {
    case DType::kFloat32: return x.data<float>()[i];
    case DType::kInt32: return x.data<std::int32_t>()[i];
    default: return x.data<std::uint8_t>()[i];
  }
}

/// The greater a number, the smaller; a NaN before all.
std::uint32_t order_of(float x) {
  if (x != x) return 0;
  const float without_sign_of_zero = x + 0.0F;
  std::uint32_t bits;
  std::memcpy(&bits, &without_sign_of_zero, sizeof bits);
  constexpr std::uint32_t kSign = 1U << 31;
  return bits & kSign ? bits : ~bits & ~kSign;
}
std::uint32_t order_of(std::int32_t x) {
  return static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max()) - static_cast<std::uint32_t>(x);
}
std::uint32_t order_of(std::uint8_t x) { return ~std::uint32_t{x}; }

/// Numbers in their order, with their places: a sort compares whole numbers, and the first of equal ones
/// comes first.
template <class T>
void read_keys(const T* row, std::vector<std::uint64_t>& keys) {
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = std::uint64_t{order_of(row[i])} << 32 | i;
}

}  // namespace

void topk_indices(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const auto k = static_cast<std::ptrdiff_t>(args.out.shape().back());
  std::vector<std::uint64_t> keys(static_cast<std::size_t>(x.shape().back()));
  auto* out = args.out.mutable_data<std::int32_t>();
  for (std::size_t start = 0; start < x.elements(); start += keys.size(), out += k) {
    switch (x.dtype()) {
      case DType::kFloat32: read_keys(x.data<float>() + start, keys); break;
      case DType::kInt32: read_keys(x.data<std::int32_t>() + start, keys); break;
      default: read_keys(x.data<std::uint8_t>() + start, keys);
    }
    std::partial_sort(keys.begin(), keys.begin() + k, keys.end());
    std::transform(keys.begin(), keys.begin() + k, out,
                   [](std::uint64_t key) { return static_cast<std::int32_t>(key); });
  }
}

void search_sorted(const KernelArgs& args) {
  const bool right = args.attrs.as<SearchSortedAttrs>().right != 0;
  const Tensor& sorted = args.in[0];
  const auto extent = static_cast<std::size_t>(sorted.shape().back());
  const auto width = static_cast<std::size_t>(args.out.shape().back());
  auto* places = args.out.mutable_data<std::int32_t>();
  for (std::size_t i = 0; i < args.out.elements(); ++i) {
    const double value = number_at(args.in[1], i);
    std::size_t low = 0;
    std::size_t high = extent;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const double there = number_at(sorted, i / width * extent + middle);
      if (right ? there <= value : there < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    places[i] = static_cast<std::int32_t>(high);
  }
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
    for (std::size_t i = start; i < start + width; ++i) {
      const auto value = static_cast<std::size_t>(values[i]);
      if (value >= size) continue;
      double& total = totals[row + value];
      total = binary ? 1 : total + (has_weights ? number_at(weights, i) : 1);
    }
  }
  auto* out = static_cast<std::uint8_t*>(args.out.storage()->mutable_data());
  for (std::size_t i = 0; i < totals.size(); ++i) store_as(args.out.dtype(), totals[i], out + 4 * i);
}

}  // namespace tenure::cpu
