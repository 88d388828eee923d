#include "core/memory/sparse_weight.h"

#include <algorithm>

#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"

namespace tenure {
namespace {

/// One in this many elements may be other than 0: with more, a product with the dense weight is as fast.
constexpr std::size_t kElementsPerNonzero = 3;

}  // namespace

const char SparseWeight::kForm = 0;

SparseColumns::SparseColumns(const float* dense, int rows, int columns, std::size_t count)
    : rows_(rows), columns_(columns), count_(count) {
  const auto width = static_cast<std::size_t>(columns);
  const std::size_t size = static_cast<std::size_t>(rows) * width;
  storage_ = Storage::allocate(count * sizeof(Element) + (width + 1) * sizeof(std::uint32_t));
  auto* const elements = static_cast<Element*>(storage_->mutable_data());
  auto* const starts = reinterpret_cast<std::uint32_t*>(elements + count);
  // First the number of each column's elements, then their end. Filling a column from its end leaves its
  // start.
  std::fill_n(starts, width + 1, 0U);
  for (std::size_t i = 0; i < size; i += width) {
    for (std::size_t c = 0; c < width; ++c) starts[c] += dense[i + c] != 0 ? 1 : 0;
  }
  for (std::size_t c = 1; c <= width; ++c) starts[c] += starts[c - 1];
  for (std::size_t i = size; i > 0; i -= width) {
    const float* const row = dense + i - width;
    for (std::size_t c = 0; c < width; ++c) {
      if (row[c] != 0) elements[--starts[c]] = {static_cast<std::int32_t>(i / width) - 1, row[c]};
    }
  }
}

Tensor SparseWeight::compress(const Tensor& weight) {
  const int columns = weight.shape().back();
  if (weight.elements() == 0) return weight;
  const auto rows = static_cast<int>(weight.elements() / static_cast<std::size_t>(columns));
  const float* const dense = weight.data<float>();
  const auto zeros = static_cast<std::size_t>(std::count(dense, dense + weight.elements(), 0.0F));
  const std::size_t count = weight.elements() - zeros;
  if (count > weight.elements() / kElementsPerNonzero) return weight;
  std::unique_ptr<SparseWeight> form(new SparseWeight(SparseColumns(dense, rows, columns, count)));
  return Tensor(Storage::packed(weight.bytes(), std::move(form)), weight.spec());
}

void SparseWeight::unpack(void* to) const {
  auto* const dense = static_cast<float*>(to);
  const auto width = static_cast<std::size_t>(columns_.columns());
  std::fill_n(dense, static_cast<std::size_t>(columns_.rows()) * width, 0.0F);
  for (int c = 0; c < columns_.columns(); ++c) {
    for (const auto& [row, value] : columns_.column(c))
      dense[static_cast<std::size_t>(row) * width + static_cast<std::size_t>(c)] = value;
  }
}

std::size_t SparseWeight::bytes() const {
  // Elements that a kernel shares are counted by it.
  const bool is_shared = columns_.storage()->references() > 1;
  return is_shared ? 0 : allocated_size(sizeof(Storage)) + columns_.storage()->bytes_on_cpu();
}

void SparseWeight::add_to(MemoryReport& report, MemoryPart part) const {
  report.add(part, columns_.storage().get());
}

}  // namespace tenure
