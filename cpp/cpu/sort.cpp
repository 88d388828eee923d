#include <algorithm>
#include <numeric>
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

}  // namespace

/// The first of equal ones comes first, and a NaN before all numbers.
void topk_indices(const KernelArgs& args) {
  const Tensor& x = args.in[0];
  const auto size = static_cast<std::size_t>(x.shape().back());
  const auto k = static_cast<std::size_t>(args.out.shape().back());
  std::vector<double> row(size);
  std::vector<std::int32_t> order(size);
  auto* out = args.out.mutable_data<std::int32_t>();
  for (std::size_t start = 0; start < x.elements(); start += size, out += k) {
    for (std::size_t i = 0; i < size; ++i) row[i] = number_at(x, start + i);
    std::iota(order.begin(), order.end(), 0);
    const auto at = [&](std::int32_t i) { return row[static_cast<std::size_t>(i)]; };
    const auto is_before = [&](std::int32_t a, std::int32_t b) {
      const bool a_is_number = at(a) == at(a);
      const bool b_is_number = at(b) == at(b);
      if (a_is_number != b_is_number) return b_is_number;
      return !a_is_number || at(a) == at(b) ? a < b : at(a) > at(b);
    };
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(k);
    std::partial_sort(order.begin(), end, order.end(), is_before);
    std::copy(order.begin(), end, out);
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
  std::vector<double> totals(args.out.elements());
  for (std::size_t i = 0; i < x.elements(); ++i) {
    check(values[i] >= 0, "Input x must be non-negative!");
    const auto value = static_cast<std::size_t>(values[i]);
    if (value >= size) continue;
    double& total = totals[i / width * size + value];
    total = binary ? 1 : total + (weights.elements() > 0 ? number_at(weights, i) : 1);
  }
  auto* out = static_cast<std::uint8_t*>(args.out.storage()->mutable_data());
  for (std::size_t i = 0; i < totals.size(); ++i) store_as(args.out.dtype(), totals[i], out + 4 * i);
}

}  // namespace tenure::cpu
