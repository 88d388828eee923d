#include "core/memory/narrow_integers.h"

#include <algorithm>

#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"

namespace tenure {

const char NarrowIntegers::kForm = 0;

Tensor NarrowIntegers::make(std::span<const std::byte> stored, const Shape& shape, int bits, bool is_signed) {
  StoragePtr copy = Storage::allocate(stored.size());
  std::copy(stored.begin(), stored.end(), static_cast<std::byte*>(copy->mutable_data()));
  return make(std::move(copy), shape, bits, is_signed);
}

Tensor NarrowIntegers::make(StoragePtr stored, const Shape& shape, int bits, bool is_signed) {
  const TensorSpec spec{shape, DType::kInt32};
  std::unique_ptr<NarrowIntegers> form(
      new NarrowIntegers(std::move(stored), shape.elements(), bits, is_signed));
  return Tensor(Storage::packed(checked_bytes(spec), std::move(form)), spec);
}

Tensor NarrowIntegers::transpose(const NarrowIntegers& integers, const Shape& shape) {
  const TensorSpec spec{shape, DType::kInt32};
  std::unique_ptr<NarrowIntegers> form(
      new NarrowIntegers(integers.stored_, integers.count_, 8, integers.is_signed_));
  form->transposed_rows_ = shape.elements(0, shape.rank - 1);
  return Tensor(Storage::packed(checked_bytes(spec), std::move(form)), spec);
}

Tensor NarrowIntegers::compress(const Tensor& x) {
  if (x.elements() < kMinElements || x.storage()->stays_packed()) return x;
  const auto values = x.values<std::int32_t>();
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const bool is_signed = *low < 0;
  if (is_signed ? *low < INT8_MIN || *high > INT8_MAX : *high > UINT8_MAX) return x;
  std::vector<std::byte> bytes(values.size());
  std::transform(values.begin(), values.end(), bytes.begin(),
                 [](std::int32_t value) { return static_cast<std::byte>(value); });
  return make(bytes, x.shape(), 8, is_signed);
}

std::size_t NarrowIntegers::bytes() const {
  return allocated_size(sizeof(Storage)) + stored_->bytes_on_cpu();
}

void NarrowIntegers::add_to(MemoryReport& report, MemoryPart part) const { report.add(part, stored_.get()); }

void NarrowIntegers::read(std::size_t first, std::size_t count, std::int32_t* to) const {
  const std::uint8_t* from = stored();
  if (transposed_rows_ > 0) {
    const std::size_t columns = count_ / transposed_rows_;
    for (std::size_t i = first; i < first + count; ++i)
      *to++ = extend(from[i % columns * transposed_rows_ + i / columns]);
    return;
  }
  if (bits_ == 8) {
    std::transform(from + first, from + first + count, to, [&](std::uint8_t byte) { return extend(byte); });
    return;
  }
  for (std::size_t i = first; i < first + count; ++i) {
    const std::int32_t value = from[i / 2] >> i % 2 * 4 & 15;
    *to++ = is_signed_ && value > 7 ? value - 16 : value;
  }
}

}  // namespace tenure
